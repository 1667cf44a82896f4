import type { Host } from '../app/host.ts'
import { messageOf } from '../core/call/result.ts'
import { drawSession } from '../core/session/draw-session.ts'
import type { Event } from '../core/session/event.ts'
import { cutToWidth, hangText } from '../core/terminal/text-width.ts'

import { describeFileProblem } from '../core/tool/describe-file-problem.ts'

import type { Snapshot } from '../core/tool/snapshot.ts'

import { COMMANDS } from './commands/commands.ts'
import { helpRows } from './commands/help.ts'
import { type OwnCommand, readOwnCommands } from './commands/own-commands.ts'
import type { Controls } from './controls.ts'
import { Conversation } from './conversation.ts'
import { createDelegates } from './delegates.ts'
import { GlobalKeys } from './global-keys.ts'
import { openPicker, type PickerOptions } from './layers/picker.ts'
import { openViewer } from './layers/viewer.ts'
import type { Look } from './look.ts'
import type { TuiOptions } from './options.ts'
import { History } from './prompt/history.ts'
import { Prompt } from './prompt/prompt.ts'
import { WorkspaceFiles } from './prompt/workspace-files.ts'
import { Requests } from './requests.ts'
import { ScreenState } from './screen-state.ts'
import { lastOutput, lastThought } from './session/full-text.ts'
import { liveRows } from './session/live-rows.ts'
import { SessionStore } from './session/session-store.ts'
import { MachineFacts } from './status/machine-facts.ts'
import { sessionStatus } from './status/session-status.ts'
import { statusBar } from './status/status-bar.ts'
import type { Surroundings } from './surroundings.ts'

/** The terminal UI: connects the session, what waits for the person, the prompt and the screen. */
export class Tui implements Controls {
  readonly options: TuiOptions
  readonly host: Host
  readonly screen: ScreenState
  readonly conversation: Conversation
  readonly requests: Requests
  readonly keys: GlobalKeys
  readonly #store: SessionStore
  readonly #prompt: Prompt
  readonly #around: Surroundings
  readonly #own: readonly OwnCommand[]
  readonly #facts: MachineFacts
  #ticking: NodeJS.Timeout | undefined
  #unfollowFiles: (() => void) | undefined
  /** The tools when the screen was drawn last by the clock. */
  #tools: Snapshot | undefined

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
    this.keys = new GlobalKeys({
      ...{ screen, around, prompt: this.#prompt, conversation: this.conversation },
      showHelp: () => this.showHelp(),
      showFull: (key) => this.#showFull(key),
    })
  }

  /** Shows the first screen and goes on with a session where one was named. */
  async start(): Promise<void> {
    const { paint } = this.screen.look()
    const { continued, notices } = this.options
    this.#printHead()
    for (const notice of notices) this.screen.print([paint('yellow', notice)])
    this.#unfollowFiles = this.host.onFileProblem((problem) => {
      const { paint, columns } = this.screen.look()
      this.screen.print(hangText(`${paint('yellow', '!')} `, paint('reset', describeFileProblem(problem)), columns - 1))
    })
    this.host.onDelegate(createDelegates({ screen: this.screen, app: this.options.app, ring: this.#around.ring }))
    void this.#facts.examine().catch(() => undefined)
    this.#ticking = setInterval(() => this.#tick(), 1_000)
    if (continued === undefined) await this.conversation.prepare()
    else await this.showSession(continued)
    await this.requests.refresh()
  }

  close(): void {
    clearInterval(this.#ticking)
    this.#unfollowFiles?.()
    this.#store.close()
    this.requests.close()
  }

  /** Takes what the person has sent: a slash command, a command line after `!`, or a message. */
  async submit(text: string): Promise<void> {
    const given = text.trim()
    if (given === '') return this.conversation.resume({ afterLimit: true })
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
    openPicker(this.screen, options)
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

  #report(text: string): void {
    const { paint, columns } = this.screen.look()
    this.screen.print(hangText(`${paint('red', '✗')} `, paint('reset', text), columns - 1))
  }

  #live(look: Look): readonly string[] {
    return liveRows(this.#store.feed, this.#store.agents, { look, tools: this.#toolFacts(), now: Date.now() })
  }

  #status(look: Look): string {
    const { host, conversation, screen } = this
    const isRunning = conversation.isRunning && !screen.hasLayers
    const session = sessionStatus({ host, conversation, feed: this.#store.feed, facts: this.#facts })
    const { waiting, isShowing } = this.requests
    return statusBar({ ...session, isRunning, waiting, isAsking: isShowing }, look)
  }

  /** Keeps the times on the screen right while something runs or waits, and the number of tools while their files change. */
  #tick(): void {
    const { live, tasks } = this.#store.feed
    const tools = this.host.registry.snapshot()
    if (live.length > 0 || tasks.length > 0 || this.screen.hasLayers || tools !== this.#tools) this.screen.changed()
    this.#tools = tools
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
