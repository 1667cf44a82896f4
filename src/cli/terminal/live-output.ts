import type { Host } from '../../app/host.ts'
import type { Result } from '../../core/call/result.ts'
import type { Event } from '../../core/session/event.ts'
import { paintError } from './front-end.ts'
import { createSpinner } from './spinner.ts'

/** How long a call may take before what it streams is shown, in milliseconds. */
const PATIENCE = 1_000

/** The output of calls, shown on stderr while they run. */
export interface LiveOutput {
  /** The call that was followed first. */
  readonly call: string
  /** The tasks that were started while it was followed. */
  tasks(): readonly string[]
  /** What of a call's result is left to show on stdout: only its frame where stdout goes to the person who has seen the output. */
  leftOf(result: Result, call: string): Result
  /** Makes room for other text: takes the spinner away and ends the line that output stands on. */
  makeRoom(): void
  stop(): void
}

/** Shows what runs and for how long, and its output as it comes, once it takes long or a person is asked about it. Where stderr is no terminal nothing is shown: stdout gets the full result at the end. */
export function followOutput(host: Host): LiveOutput {
  const spinner = createSpinner()
  const isSeen = process.stderr.isTTY === true
  let waiting = ''
  let isLive = false
  let isRunning = false
  let first = ''
  const streaming = new Set<string>()
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
  const hear = (event: Event) => {
    if (event.type === 'call-start') first ||= event.call
    else if (event.type === 'call-run') run(true)
    else if (event.type === 'call-end') run(false)
    else if (event.type === 'approval-request') stepAside()
    else if (event.type === 'approval-answer') run(isRunning)
    else if (event.type === 'call-problem') spinner.writeLine(paintError('yellow', event.text))
    else if (event.type === 'call-delta') take(event)
    else if (event.type === 'task-start') tasks.push(event.call)
    if (isLive) show()
  }
  const take = ({ call, text }: Extract<Event, { type: 'call-delta' }>) => {
    streaming.add(call)
    if (isSeen) waiting += text
  }
  const run = (isOn: boolean) => {
    isRunning = isOn
    if (isOn) spinner.start('running')
    else spinner.stop()
  }
  /** A person is about to be asked below what they have seen of the call. */
  const stepAside = () => {
    spinner.stop()
    if (waiting !== '') begin()
  }
  const timer = setTimeout(begin, PATIENCE)
  const unfollow = host.on(hear)
  return {
    get call() {
      return first
    },
    tasks: () => tasks,
    leftOf(result, call) {
      const isTheirs = isLive && process.stdout.isTTY && streaming.has(call)
      return isTheirs ? withoutOutput(result) : result
    },
    makeRoom: spinner.endLine,
    stop() {
      clearTimeout(timer)
      spinner.stop()
      spinner.endLine()
      unfollow()
    },
  }
}

/** A result for someone who has seen all that the call streamed. */
function withoutOutput(result: Result): Result {
  if (result.ok) return result.frame === undefined ? result : { ...result, text: result.frame }
  const { partial: _, ...details } = result.details ?? {}
  return { ...result, details }
}
