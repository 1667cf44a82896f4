import type { Host } from '../../app/host.ts'
import type { Result } from '../../core/call/result.ts'
import type { Event } from '../../core/session/event.ts'
import { printedOf } from '../../core/terminal/call-facts.ts'
import { describeFileProblem } from '../../core/tool/describe-file-problem.ts'
import type { Skipped } from '../../core/tool/snapshot.ts'
import { wrapFor } from '../output/report-problem.ts'
import { paintError } from './front-end.ts'
import { createSpinner } from './spinner.ts'

/** How long a call runs before its output is streamed to the terminal, in milliseconds. */
const STREAM_AFTER = 1_000

/** The most characters of a call's output that are kept to be shown at its end. */
const KEPT = 50_000

/** The output of calls, shown on stderr while they run. */
export interface LiveOutput {
  /** The id of the first call. */
  readonly call: string
  /** The ids of the background tasks that were started. */
  tasks(): readonly string[]
  /** Returns the part of a result that is still to print to stdout: without the streamed output if the person at this terminal has seen it. */
  leftOf(result: Result, call: string): Result
  /** Shows what a call printed that its result does not hold, unless it was streamed. */
  showPrinted(result: Result, call: string): void
  /** Removes the spinner and ends an unfinished line, so that other text can follow. */
  endLine(): void
  stop(): void
}

/** Shows on stderr that a call runs and for how long, and streams its output once it takes long or needs approval. If stderr is not a terminal, streams nothing: stdout gets the full result at the end. With `namesFiles`, says which tool files are slow or broken. */
export function followOutput(
  host: Pick<Host, 'on'> & Partial<Pick<Host, 'onFileProblem'>>,
  namesFiles = false,
): LiveOutput {
  const spinner = createSpinner()
  const isSeen = process.stderr.isTTY === true
  let waiting = ''
  let isLive = false
  let isRunning = false
  let first = ''
  /** The end of what each call has printed. */
  const printed = new Map<string, string>()
  const tasks: string[] = []
  const show = () => {
    if (waiting === '') return
    const text = paintError('dim', waiting.replace(/\n$/, ''))
    spinner.write(waiting.endsWith('\n') ? `${text}\n` : text)
    waiting = ''
  }
  const begin = () => {
    isLive = isSeen
    if (isLive) show()
  }
  const onEvent = (event: Event) => {
    if (event.type === 'call-start') first ||= event.call
    else if (event.type === 'call-run') run(true)
    else if (event.type === 'call-end') run(false)
    else if (event.type === 'approval-request' || event.type === 'input-request') pauseForRequest()
    else if (event.type === 'approval-answer' || event.type === 'input-answer') run(isRunning)
    else if (event.type === 'call-problem') spinner.writeLine(paintError('yellow', event.text))
    else if (event.type === 'call-delta') take(event)
    else if (event.type === 'task-start') tasks.push(event.call)
    if (isLive) show()
  }
  const take = ({ call, text }: Extract<Event, { type: 'call-delta' }>) => {
    printed.set(call, ((printed.get(call) ?? '') + text).slice(-KEPT))
    if (isSeen) waiting += text
  }
  const run = (isOn: boolean) => {
    isRunning = isOn
    if (isOn) spinner.start('running')
    else spinner.stop()
  }
  /** A prompt is about to appear below the output. */
  const pauseForRequest = () => {
    spinner.stop()
    if (waiting !== '') begin()
  }
  const timer = setTimeout(begin, STREAM_AFTER)
  const unfollow = host.on(onEvent)
  const showFile = (problem: Skipped) =>
    spinner.writeLine(paintError('yellow', wrapFor(process.stderr, describeFileProblem(problem)).join('\n')))
  const unfollowFiles = namesFiles ? host.onFileProblem?.(showFile) : undefined
  return {
    get call() {
      return first
    },
    tasks: () => tasks,
    leftOf(result, call) {
      const isTheirs = isLive && process.stdout.isTTY && printed.has(call)
      return isTheirs ? withoutOutput(result) : result
    },
    showPrinted(result, call) {
      // Output until a call was stopped is part of its failure.
      if (isLive || (!result.ok && result.details?.partial !== undefined)) return
      const text = printedOf({ result, output: printed.get(call) ?? '' })
      if (text !== '') spinner.write(paintError('dim', text))
    },
    endLine: spinner.endLine,
    stop() {
      clearTimeout(timer)
      spinner.stop()
      spinner.endLine()
      unfollow()
      unfollowFiles?.()
    },
  }
}

/** Returns a result without the output that was already streamed. */
function withoutOutput(result: Result): Result {
  if (result.ok) return result.frame === undefined ? result : { ...result, text: result.frame }
  const { partial: _, ...details } = result.details ?? {}
  return { ...result, details }
}
