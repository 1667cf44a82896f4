import type { Host } from '../host.ts'
import { paintError } from './face.ts'

/** How long a call may take before what it streams is shown, in milliseconds. */
const PATIENCE = 1_000

/** What a call streamed, as far as a person has seen it. */
export interface LiveOutput {
  /** Stops showing, and says what was shown: nothing when the call was short. */
  stop(): string
}

/** Shows a call's output as it comes, once it takes long or a person is asked about it; the result of a short one is not shown twice. */
export function followOutput(host: Host): LiveOutput {
  let waiting = ''
  let shown = ''
  let isLive = false
  const show = () => {
    process.stderr.write(paintError('dim', waiting))
    shown += waiting
    waiting = ''
  }
  const begin = () => {
    isLive = true
    show()
  }
  const timer = setTimeout(begin, PATIENCE)
  const unfollow = host.on((event) => {
    if (event.type === 'approval-request' && waiting !== '') begin()
    if (event.type !== 'call-delta') return
    waiting += event.text
    if (isLive) show()
  })
  return {
    stop() {
      clearTimeout(timer)
      unfollow()
      return shown
    },
  }
}
