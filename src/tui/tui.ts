import type { Key } from 'ink'
import type { Host } from '../app/host.ts'
import { messageOf } from '../core/call/result.ts'
import { drawSession } from '../core/session/draw-session.ts'
import type { Event } from '../core/session/event.ts'
import { cutToWidth, hangText } from '../core/terminal/text-width.ts'
import { isControl } from '../core/tool/snapshot.ts'
import { COMMANDS } from './commands/commands.ts'
import { type OwnCommand, readOwnCommands } from './commands/own-commands.ts'
import type { Controls } from './controls.ts'
import { Conversation } from './conversation.ts'
import { createDelegates } from './delegates.ts'
import { helpRows } from './help.ts'
import { Picker, type PickerOptions } from './layers/picker.ts'
import { openViewer, Viewer } from './layers/viewer.ts'
import type { Look } from './look.ts'
import { MachineFacts } from './machine-facts.ts'
import type { TuiOptions } from './options.ts'
import { History } from './prompt/history.ts'
import { Prompt } from './prompt/prompt.ts'
import { splitKeys } from './prompt/split-keys.ts'
import { WorkspaceFiles } from './prompt/workspace-files.ts'
import { Requests } from './requests.ts'
import { ScreenState } from './screen-state.ts'
import { lastOutput, lastThought } from './session/full-text.ts'
import { liveRows } from './session/live-rows.ts'
import { SessionStore } from './session/session-store.ts'
import { statusBar } from './status-bar.ts'

/** A second Ctrl-C within this time leaves, in milliseconds. */
const TWICE = 2_000

/** The terminal and the process, as far as the UI needs them. */
export interface Surroundings {
  size(): { readonly columns: number; readonly rows: number }
  /** Sounds the bell. */
  ring(): void
  /** Empties the screen. */
  wipe(): void
  /** Leaves the UI. */
  exit(code: number): void
  /** Stops the process as the shell's job control does; it goes on with `fg`. */
  suspend(): void
}

/** The terminal UI: connects the session, what waits for the person, the prompt and the screen. */
export class Tui implements Controls {
  readonly options: TuiOptions
  readonly host: Host
  readonly screen: ScreenState
  readonly conversation: Conversation
  readonly requests: Requests
  readonly #store: SessionStore
  readonly #prompt: Prompt
  readonly #around: Surroundings
  readonly #own: readonly OwnCommand[]
  readonly #facts: MachineFacts
  #interruptedAt = 0
  #ticking: NodeJS.Timeout | undefined

  constructor(options: TuiOptions, host: Host, around: Surroundings) {
    const { home } = options
    this.options = options
    this.host = host
    this.#around = around
    this.#own = readOwnCommands(options.commandsFolder)
    this.screen = new ScreenState({
      ...{ paint: options.paint, isUtf8: options.isUtf8, size: around.size },
      base: () => this.#prompt,
      live: (look) => this.#live(look),
      status: (look) => this.#status(look),
    })
    const { screen } = this
    this.#facts = new MachineFacts(home, host, () => screen.changed())
    this.#store = new SessionStore({
      ...{ home, tools: this.#toolFacts(), look: () => screen.look() },
      print: (rows) => screen.print(rows),
      changed: () => screen.changed(),
      heard: (event) => this.#hear(event),
    })
    this.conversation = new Conversation({
      ...{ host, options, store: () => this.#store },
      say: (text) => screen.say(text),
      report: (text) => this.#report(text),
      changed: () => screen.changed(),
    })
    this.requests = new Requests({
      ...{ home, screen, edit: options.edit, ring: around.ring },
      owns: (session) => this.#store.owns(session),
      answeredFor: (session) => {
        if (session === this.conversation.session?.id) void this.conversation.resume()
      },
    })
    const files = new WorkspaceFiles(host.workspace)
    this.#prompt = new Prompt({
      ...{ screen, edit: options.edit, history: new History(home, host.workspace) },
      names: { commands: () => [...COMMANDS, ...this.#own], files: (part) => files.find(part) },
      submit: (text) => void this.submit(text),
    })
  }

  /** Shows the first screen and goes on with a session where one was named. */
  async start(): Promise<void> {
    const { paint } = this.screen.look()
    const { continued, notices } = this.options
    this.#printHead()
    for (const notice of notices) this.screen.print([paint('yellow', notice)])
    this.host.onDelegate(createDelegates({ screen: this.screen, app: this.options.app, ring: this.#around.ring }))
    void this.#facts.examine().catch(() => undefined)
    this.#ticking = setInterval(() => this.#tick(), 1_000)
    if (continued === undefined) await this.conversation.prepare()
    else await this.showSession(continued)
    await this.requests.refresh()
  }

  close(): void {
    clearInterval(this.#ticking)
    this.#store.close()
    this.requests.close()
  }

  press(input: string, key: Key): void {
    if (key.eventType === 'release') return
    const keys = splitKeys(input, key)
    if (keys) for (const one of keys) this.#pressOne(one.input, one.key)
    else this.#pressOne(input, key)
  }

  #pressOne(input: string, key: Key): void {
    const isIdle = this.#prompt.isEmpty && !this.screen.hasLayers
    if (key.ctrl && input === 'c') this.#interrupt()
    else if (key.ctrl && input === 'z') this.#around.suspend()
    else if (key.ctrl && input === 'd' && isIdle) this.quit()
    else if (input === '?' && isIdle) this.showHelp()
    else if (key.ctrl && (input === 'o' || input === 't') && !(this.screen.top instanceof Viewer)) this.#showFull(input)
    else if (!this.screen.press(input, key) && key.escape) this.#escape()
  }

  /** Takes what the person has sent: a slash command, a command line after `!`, or a message. */
  async submit(text: string): Promise<void> {
    const given = text.trim()
    if (given === '') return this.conversation.resume()
    if (given.startsWith('!')) return this.conversation.run(given.slice(1).trim())
    const [, name, rest = ''] = /^\/([\w-]+)(?:\s+([\s\S]*))?$/.exec(given) ?? []
    if (name === undefined) return this.conversation.send(text)
    const command = COMMANDS.find((one) => one.name === name)
    const own = this.#own.find((one) => one.name === name)
    try {
      if (command) await command.run(this, rest.trim())
      else if (own) await this.conversation.send(own.messageOf(rest.trim()))
      else this.screen.say(`There is no command /${name}. List them with /help.`)
    } catch (thrown) {
      this.#report(messageOf(thrown))
    }
  }

  pick(options: Omit<PickerOptions, 'closed'>): void {
    const close = () => this.screen.close(picker)
    const chosen: PickerOptions['chosen'] = (id, marked) => {
      close()
      options.chosen(id, marked)
    }
    const picker: Picker = new Picker({ ...options, chosen, closed: close })
    this.screen.open(picker)
  }

  showHelp(): void {
    this.screen.print(helpRows([...COMMANDS, ...this.#own], this.screen.look()))
  }

  startOver(): void {
    if (this.conversation.isRunning) this.conversation.stop()
    this.#around.wipe()
    this.conversation.clear()
    this.#printHead()
  }

  async showSession(id: string): Promise<void> {
    try {
      await this.conversation.continue(id)
      await this.requests.refresh()
    } catch (thrown) {
      this.#report(messageOf(thrown))
    }
  }

  exportEvents(events: readonly Event[]): string {
    return this.options.exportSession(drawSession(events), this.host.workspace)
  }

  quit(): void {
    this.#around.exit(0)
  }

  #hear(event: Event): void {
    if (event.type === 'run-end') this.screen.say('')
    this.requests.hear(event)
  }

  #printHead(): void {
    const { paint, columns } = this.screen.look()
    const folder = cutToWidth(this.host.workspace, columns - 12)
    this.screen.print([`${paint('bold', 'haft')} ${paint('dim', this.options.version)} ${paint('dim', folder)}`])
  }

  /** Shows in full what the session shows in part: the last output, or the last thoughts. */
  #showFull(key: 'o' | 't'): void {
    const text = key === 'o' ? lastOutput(this.#store.feed, this.#toolFacts()) : lastThought(this.#store.feed)
    if (text) openViewer(this.screen, text)
    else this.screen.say(key === 'o' ? 'Nothing was printed yet.' : 'The model has not shown any thoughts.')
  }

  /** Esc that nothing else had a use for: stops the run, or empties the prompt. */
  #escape(): void {
    if (!this.conversation.isRunning) this.#prompt.clear()
    else {
      this.conversation.stop()
      this.screen.say('Stopping…')
    }
  }

  /** Ctrl-C: stops what runs, then empties the prompt, then leaves at the second press. */
  #interrupt(): void {
    const now = Date.now()
    const isSecond = now - this.#interruptedAt < TWICE
    const wasRunning = this.conversation.isRunning
    this.#interruptedAt = now
    if (isSecond) this.#around.exit(wasRunning ? 130 : 0)
    if (wasRunning) this.conversation.stop()
    else this.#prompt.clear()
    this.screen.say(wasRunning ? 'Stopping… Press Ctrl-C again to leave.' : 'Press Ctrl-C again to leave.')
  }

  #report(text: string): void {
    const { paint, columns } = this.screen.look()
    this.screen.print(hangText(`${paint('red', '✗')} `, paint('reset', text), columns - 1))
  }

  #live(look: Look): readonly string[] {
    return liveRows(this.#store.feed, this.#store.agents, { look, tools: this.#toolFacts(), now: Date.now() })
  }

  #status(look: Look): string {
    const { model, mode, session, tools } = this.conversation
    const isRunning = this.conversation.isRunning && !this.screen.hasLayers
    const offered = this.host.registry.snapshot().tools.filter((entry) => !isControl(entry)).length
    const chosen = session?.snapshot.tools.filter((entry) => !isControl(entry)).length ?? tools?.length ?? offered
    const { usage } = this.#store.feed.view
    const limit = this.#facts.contextOf(model)
    return statusBar(
      {
        ...{ model, mode, isRunning, tasks: this.#store.feed.tasks.length, waiting: this.requests.waiting },
        tools: { selected: chosen, all: Math.max(offered, chosen), isLocked: session !== undefined },
        tokens: usage.input + usage.output,
        context: limit === undefined || usage.context === undefined ? undefined : { used: usage.context, limit },
        hasSandbox: this.#facts.hasSandbox,
      },
      look,
    )
  }

  /** Keeps the times on the screen right while something runs or waits. */
  #tick(): void {
    if (this.#store.feed.live.length > 0 || this.#store.feed.tasks.length > 0 || this.screen.hasLayers)
      this.screen.changed()
  }

  #toolFacts() {
    const find = (name: string) =>
      (this.conversation.session?.snapshot ?? this.host.registry.snapshot()).find(name)?.tool
    return {
      mainOf: (name: string) => find(name)?.main,
      endsRun: (name: string) => find(name)?.endsRun === true,
    }
  }
}
