import type { ClearedCall } from '../core/call.ts'
import type { ToolContext } from '../core/context.ts'
import type { EventBody } from '../core/event.ts'
import type { Files, FilesDoor } from '../core/files.ts'
import type { Outputs } from '../core/outputs.ts'
import { wholeCharacterEnd } from '../core/outputs.ts'
import { ToolError } from '../core/result.ts'
import type { Judge } from '../core/rule.ts'
import type { RunOrder, RunOwner, RunReport, Sandbox } from '../core/sandbox.ts'
import { reads } from '../core/touch.ts'
import type { Stop } from './stop.ts'

/** How much a call may stream, in characters; what comes after is dropped, and said once. */
const MAX_STREAMED = 10_000_000

/** How much of what was streamed is kept for the result of a call that was stopped. */
const MAX_PARTIAL = 50_000

/** Who and where one call is. */
export interface CallPlace {
  readonly workspace: string
  readonly session: string
  readonly call: string
  readonly outputs: Outputs
  readonly files: FilesDoor
  readonly sandbox: Sandbox
  readonly judge: Judge
}

/** What a call's tool reaches beyond its context while it runs. */
export interface Voice extends Required<Pick<RunOwner, 'confirm'>> {
  emit(body: EventBody): void
}

/** What one call's tool may reach. Deltas are events and files can be changed while the tool runs, not before and after. */
export class CallContext implements ToolContext {
  readonly workspace: string
  readonly session: string
  readonly call: string
  readonly outputs: Outputs
  readonly #stop: Stop
  readonly #door: FilesDoor
  readonly #sandbox: Sandbox
  readonly #judge: Judge
  #cleared: ClearedCall | undefined
  #voice: Voice | undefined
  #streamed = 0
  #said = ''

  constructor({ workspace, session, call, outputs, files, sandbox, judge }: CallPlace, stop: Stop) {
    this.workspace = workspace
    this.session = session
    this.call = call
    this.outputs = outputs
    this.#stop = stop
    this.#door = files
    this.#sandbox = sandbox
    this.#judge = judge
  }

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  /** The end of what was streamed so far. */
  get said(): string {
    return this.#said
  }

  /** Made when a tool takes it: to look at before the line, in the call's name after it. */
  get files(): Files {
    if (this.#cleared === undefined) return this.#door.looking
    const cleared = this.#cleared
    const mayRead = (path: string) => !this.#judge.denies(cleared, reads(path))
    return this.#door.forCall({ id: this.call, expects: cleared.expects, signal: this.signal, mayRead })
  }

  /** Made when a tool takes it, as the others are; refuses before the line. */
  get run(): (order: RunOrder) => Promise<RunReport> {
    return async (order) => {
      const voice = this.#voice
      if (voice === undefined) throw new ToolError('EXECUTION_ERROR', 'A tool runs programs only while it runs.')
      const confirm: Voice['confirm'] = (change) => voice.confirm(change)
      return this.#sandbox.run(order, { call: this.call, signal: this.signal, confirm })
    }
  }

  /** Made when a tool takes it; applies nothing, so it may be used before the line. */
  get rehearse(): (order: RunOrder) => Promise<RunReport> {
    return (order) =>
      this.#sandbox.run({ ...order, rehearse: true, direct: false }, { call: this.call, signal: this.signal })
  }

  /** From here on deltas are events, and files can be changed. */
  open(cleared: ClearedCall, voice: Voice): void {
    this.#cleared = cleared
    this.#voice = voice
  }

  /** From here on deltas are nothing, and files can be looked at only. */
  close(): void {
    this.#cleared = undefined
    this.#voice = undefined
  }

  /** Made when a tool takes it, so that it can be taken out of the context. */
  get delta(): (text: string) => void {
    return (text) => this.#say(text)
  }

  #say(text: string): void {
    if (!this.#voice || text === '' || this.#streamed >= MAX_STREAMED) return
    const piece = text.slice(0, wholeCharacterEnd(text, MAX_STREAMED - this.#streamed))
    this.#streamed += piece.length
    this.#said = (this.#said + piece).slice(-MAX_PARTIAL)
    const { session, call } = this
    this.#voice.emit({ type: 'call-delta', session, call, text: piece })
    if (this.#streamed < MAX_STREAMED) return
    this.#voice.emit({ type: 'call-delta', session, call, text: '\n[more output follows; it is not streamed]\n' })
  }
}
