import type { Result } from '../../core/call/result.ts'
import { drawSession } from '../../core/session/draw-session.ts'
import { type Event, isDelta } from '../../core/session/event.ts'
import type { CallItem, SessionView } from '../../core/session/session-view.ts'
import { isTodoCount, mainArgument } from '../../core/terminal/call-facts.ts'
import { approvedLines, type CallLook, callLines } from '../../core/terminal/call-lines.ts'
import { FlowText, flowLines } from '../../core/terminal/flow-text.ts'
import { noteLines, noticeLines } from '../../core/terminal/note-lines.ts'
import { cutToWidth } from '../../core/terminal/text-width.ts'
import { printableLine } from '../../core/text/printable.ts'
import { columnsOf, paintError } from '../terminal/front-end.ts'
import { createSpinner, type Spinner } from '../terminal/spinner.ts'
import type { RunTotals } from './run-totals.ts'

/** A run as it is shown on stderr while it goes on. */
export interface LiveView {
  /** Takes in one more event of the session. */
  add(event: Event): void
  /** Removes the line of state, so that other text can follow. */
  stop(): void
}

/** What the view needs to know beside the events. */
export interface LiveOptions {
  readonly totals: RunTotals
  /** The name of a tool's main parameter. */
  mainOf(tool: string): string | undefined
  /** True for tools whose calls end the run; the summary shows what they say. */
  endsRun(tool: string): boolean
  /** Where approval requests are answered: by a person at this terminal, by another interface, or by nobody. */
  readonly asks: 'here' | 'elsewhere' | 'nobody'
}

/** Shows a run on stderr: text as it is written, a block a call, and in a terminal a line that says what goes on now. */
export function createLiveView(options: LiveOptions): LiveView {
  return new StderrView(options)
}

class StderrView implements LiveView {
  readonly #options: LiveOptions
  readonly #look: CallLook
  readonly #spinner: Spinner = createSpinner()
  readonly #isTerminal = process.stderr.isTTY === true
  #view: SessionView = drawSession([])
  #flow: FlowText | undefined
  #thoughtSince: number | undefined
  #thought = ''
  /** True once a call was shown after the last text: the next text gets an empty line above. */
  #isAfterCalls = false
  /** What calls that run have put out last, by call. */
  readonly #lastOutput = new Map<string, string>()
  /** Approval requests that are shown below: nothing is written while there is one. */
  readonly #asked = new Set<string>()
  /** Calls that were approved at this terminal. */
  readonly #seen = new Set<string>()
  #held: string[] = []
  #messages = 0

  constructor(options: LiveOptions) {
    this.#options = options
    this.#look = { paint: paintError, columns: columnsOf(process.stderr), mainOf: options.mainOf }
  }

  add(event: Event): void {
    if (!isDelta(event)) this.#view = drawSession([event], this.#view)
    const { type } = event
    if (type === 'message-delta' && event.reasoning) this.#think(event.text)
    else if (type === 'message-delta') this.#stream(event.text)
    else if (type === 'message') this.#addMessage(event)
    else if (type === 'run-start') this.#showState()
    else if (type === 'run-end') this.stop()
    else if (type === 'call-delta') this.#noteOutput(event)
    else if (type === 'approval-request') this.#pause(event)
    else if (type === 'input-request') this.#hold(event.call)
    else if (type === 'approval-answer' || type === 'input-answer') this.#resume(event.call)
    else if (type === 'task-start' || type === 'call-end') this.#addCall(event.call)
    else this.#write(noteLines(event, this.#look))
  }

  stop(): void {
    this.#endText()
    this.#spinner.stop()
    this.#spinner.endLine()
  }

  #showState(): void {
    this.#spinner.start(() => this.#describe())
  }

  /** `shell npm test · ✓ 41 passed · step 3 · 12.1 s · 18.2k tokens` */
  #describe(): string {
    const calls = this.#view.items.filter(isRunning)
    const names = calls.map(({ call, name, arguments: args }) => {
      const main = mainArgument(args, this.#options.mainOf(name))
      const last = this.#lastOutput.get(call)
      return [`${name} ${cutToWidth(main, 40)}`.trim(), ...(last ? [printableLine(last)] : [])].join(' · ')
    })
    const what = names.join(', ') || (this.#thoughtSince === undefined ? 'waiting for the model' : 'thinking')
    return [this.#options.totals.describe(), what].join(' · ')
  }

  #noteOutput({ call, text }: Extract<Event, { type: 'call-delta' }>): void {
    const last = lastLine(text)
    if (last !== undefined) this.#lastOutput.set(call, last)
  }

  #think(text: string): void {
    this.#thoughtSince ??= performance.now()
    this.#thought += text
  }

  /** Parts the text of a step from the calls before it. */
  #beginText(): void {
    if (this.#isAfterCalls && this.#isTerminal) this.#write([''])
    this.#isAfterCalls = false
  }

  #stream(text: string): void {
    if (!this.#isTerminal) return
    this.#endThought(this.#thought)
    this.#beginText()
    this.#spinner.stop()
    this.#flow ??= new FlowText(this.#look.columns)
    const ready = this.#flow.push(text)
    if (ready !== '') this.#spinner.write(ready)
  }

  /** Ends what was streamed. */
  #endText(): boolean {
    const wasStreamed = this.#flow !== undefined
    const rest = this.#flow?.end() ?? ''
    if (rest !== '') this.#spinner.write(rest)
    this.#flow = undefined
    return wasStreamed
  }

  #endThought(reasoning: string): void {
    if (this.#thoughtSince === undefined && reasoning === '') return
    const seconds = this.#thoughtSince === undefined ? undefined : (performance.now() - this.#thoughtSince) / 1_000
    this.#thoughtSince = undefined
    this.#thought = ''
    this.#beginText()
    const time = seconds === undefined ? 'Thought' : `Thought for ${seconds.toFixed(seconds < 10 ? 1 : 0)} s`
    const start = lastLine(reasoning)
    const line = start === undefined ? time : `${time}: ${printableLine(start)}`
    this.#write([`  ${paintError('dim', cutToWidth(line, Math.min(this.#look.columns - 3, 160)))}`])
  }

  #addMessage({ role, content, reasoning = '', calls, isNotice }: Extract<Event, { type: 'message' }>): void {
    if (role === 'system') return
    const { columns } = this.#look
    if (isNotice) {
      this.#write(noticeLines(content, this.#look))
      return
    }
    if (role === 'user') {
      // The first one is what the person has just typed.
      if (this.#messages++ > 0) this.#write(flowLines(`> ${content}`, columns).map((row) => paintError('dim', row)))
      return
    }
    const wasStreamed = this.#endText()
    if (!wasStreamed) this.#endThought(reasoning)
    // Without a terminal the last message goes to stdout alone.
    const isShown = this.#isTerminal || (calls !== undefined && calls.length > 0)
    if (!wasStreamed && isShown && content.trim() !== '') {
      this.#beginText()
      this.#write(flowLines(content, columns))
    }
    this.#showState()
  }

  #addCall(call: string): void {
    this.#resume(call)
    this.#lastOutput.delete(call)
    const item = this.#view.items.find((one): one is CallItem => one.kind === 'call' && one.call === call)
    if (item === undefined || (item.result && this.#isShownOtherwise(item.name, item.result))) return
    this.#isAfterCalls = true
    this.#write((this.#seen.has(call) ? approvedLines : callLines)(item, this.#look))
  }

  #isShownOtherwise(name: string, result: Result): boolean {
    return isTodoCount(result) || (result.ok && this.#options.endsRun(name))
  }

  #pause({ call, approval, tool }: Extract<Event, { type: 'approval-request' }>): void {
    const { asks } = this.#options
    if (asks === 'elsewhere') {
      const text = `${tool} waits for approval. Answer with: haft approvals ${approval} yes|no|edit`
      this.#write(flowLines(text, this.#look.columns).map((row) => paintError('yellow', row)))
    }
    if (asks === 'here') this.#seen.add(call)
    this.#hold(call)
  }

  /** Holds the display back while the person is asked at this terminal. */
  #hold(call: string): void {
    if (this.#options.asks !== 'here') return
    this.#asked.add(call)
    this.stop()
  }

  #resume(call: string): void {
    if (!this.#asked.delete(call) || this.#asked.size > 0) return
    const held = this.#held
    this.#held = []
    this.#write(held)
    this.#showState()
  }

  #write(lines: readonly string[]): void {
    if (this.#asked.size > 0) this.#held.push(...lines)
    else for (const line of lines) this.#spinner.writeLine(line)
  }
}

function isRunning(item: SessionView['items'][number]): item is CallItem {
  return item.kind === 'call' && item.result === undefined && !item.isTask
}

function lastLine(text: string): string | undefined {
  return text
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => line !== '')
}
