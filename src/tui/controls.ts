import type { Host } from '../app/host.ts'
import type { Event } from '../core/session/event.ts'
import type { Conversation } from './conversation.ts'
import type { PickerOptions } from './layers/picker.ts'
import type { TuiOptions } from './options.ts'
import type { Requests } from './requests.ts'
import type { ScreenState } from './screen-state.ts'

/** What slash commands act on. */
export interface Controls {
  readonly options: TuiOptions
  readonly host: Host
  readonly screen: ScreenState
  readonly conversation: Conversation
  readonly requests: Requests
  /** Opens a list to choose from; it closes with the choice. */
  pick(options: Omit<PickerOptions, 'closed'>): void
  showHelp(): void
  /** Begins a new session with an empty screen. */
  startOver(): void
  /** Goes on with another session. */
  showSession(id: string): Promise<void>
  /** Writes events to a Markdown file and returns its name. */
  exportEvents(events: readonly Event[]): string
  quit(): void
}
