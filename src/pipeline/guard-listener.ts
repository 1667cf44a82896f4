import { messageOf } from '../core/call/result.ts'

/** Wraps a listener so that what it throws, or rejects with, harms nobody. The first failure is a warning of the process; it goes on being called, and its later failures are not reported. */
export function guardListener<Heard>(listener: (heard: Heard) => unknown, nameOf: (heard: Heard) => string) {
  let hasWarned = false
  const warn = (heard: Heard, thrown: unknown) => {
    if (hasWarned) return
    hasWarned = true
    process.emitWarning(
      `A listener failed on ${nameOf(heard)}: ${messageOf(thrown)}. It is still called; its further failures are not reported.`,
      'HaftListenerWarning',
    )
  }
  return (heard: Heard): void => {
    try {
      const answered: unknown = listener(heard)
      if (answered instanceof Promise) answered.catch((thrown) => warn(heard, thrown))
    } catch (thrown) {
      warn(heard, thrown)
    }
  }
}
