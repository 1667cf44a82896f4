import type { Event } from '../core/event.ts'
import type { Host } from '../host.ts'
import { paintError } from './face.ts'
import { createSpinner } from './spinner.ts'

/** How long a call may take before what it streams is shown, in milliseconds. */
const PATIENCE = 1_000

/** What a call streamed, as far as a person has seen it. */
export interface LiveOutput {
  /** What was shown so far: nothing when the call was short. */
  seen(): string
  /** The tasks that were started while it was followed. */
  tasks(): readonly string[]
  stop(): void
}

/** Shows what is at work and for how long, and its output as it comes, once it takes long or a person is asked about it; the result of a short call is not shown twice. */
export function followOutput(host: Host): LiveOutput {
  const spinner = createSpinner()
  let waiting = ''
  let shown = ''
  let isLive = false
  let isRunning = false
  const tasks: string[] = []
  const show = () => {
    if (waiting === '') return
    const text = paintError('dim', waiting.replace(/\n$/, ''))
    spinner.write(waiting.endsWith('\n') ? `${text}\n` : text)
    shown += waiting
    waiting = ''
  }
  const begin = () => {
    isLive = true
    show()
  }
  const hear = (event: Event) => {
    if (event.type === 'call-run') run(true)
    else if (event.type === 'call-end') run(false)
    else if (event.type === 'approval-request') stepAside()
    else if (event.type === 'approval-answer') run(isRunning)
    else if (event.type === 'call-trouble') waiting += `${event.text}\n`
    else if (event.type === 'call-delta') waiting += event.text
    else if (event.type === 'task-start') tasks.push(event.call)
    if (isLive) show()
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
    seen: () => shown,
    tasks: () => tasks,
    stop() {
      clearTimeout(timer)
      spinner.stop()
      unfollow()
    },
  }
}
