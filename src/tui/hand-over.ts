import { setImmediate } from 'node:timers/promises'
import type { Suspend } from './screen-state.ts'

/** Hands the terminal to another program while work runs: nothing here reads from it meanwhile. Ink only removes its listener; Node would go on reading and take keys from that program. */
export function handOverTerminal(suspendTerminal: Suspend, stdin: NodeJS.ReadStream): Suspend {
  return (work) =>
    suspendTerminal(async () => {
      // Node notices that no listener is left, and stops reading from a paused stream, at the end of a turn of its loop.
      await setImmediate()
      stdin.pause()
      await setImmediate()
      await work()
    })
}
