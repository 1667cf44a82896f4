import type { Home } from '../app/home.ts'
import type { Attachment } from '../core/session/message.ts'
import type { Mode } from '../core/session/mode.ts'
import type { SessionView } from '../core/session/session-view.ts'
import type { Paint } from '../core/terminal/style.ts'
import type { DelegateHandler } from '../core/tool/delegate.ts'
import type { EditText } from './external.ts'

/** What the command line passes to the terminal UI. */
export interface TuiOptions {
  readonly home: Home
  readonly workspace: string
  /** The session to go on with. */
  readonly continued?: string | undefined
  readonly model?: string | undefined
  readonly mode?: Mode | undefined
  readonly version: string
  /** False where the terminal cannot show more than ASCII. */
  readonly isUtf8: boolean
  readonly paint: Paint
  /** What was said while the home was opened. */
  readonly notices: readonly string[]
  /** The folder with the person's own commands. */
  readonly commandsFolder: string
  /** Reads the files that a message names with `@`. */
  attach(
    text: string,
    folder: string,
  ): { readonly attachments: readonly Attachment[]; readonly notes: readonly string[] }
  /** Opens a text in $VISUAL or $EDITOR; absent where neither is set. */
  readonly edit?: EditText | undefined
  /** Does what tools ask of the app: opens files. */
  readonly app?: DelegateHandler | undefined
  /** Writes a session to a Markdown file of the workspace and returns its name. */
  exportSession(view: SessionView, workspace: string): string
  /** Says what became of a tool in a session. */
  explain(tool: string, session: string | undefined): Promise<readonly string[]>
}

/** Opens the terminal UI. Resolves to the exit code once the person has left it. */
export type OpenTui = (options: TuiOptions) => Promise<number>
