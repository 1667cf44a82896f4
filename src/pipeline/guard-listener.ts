import { messageOf } from '../core/call/result.ts'

/** Wraps a listener so that its errors and rejections affect nobody else. The first failure is reported as a process warning; later ones are not reported. The listener is still called. */
export function guardListener<Value>(listener: (value: Value) => unknown, nameOf: (value: Value) => string) {
  let hasWarned = false
  const warn = (value: Value, thrown: unknown) => {
    if (hasWarned) return
    hasWarned = true
    process.emitWarning(
      `A listener failed on ${nameOf(value)}: ${messageOf(thrown)}. It is still called; its further failures are not reported.`,
      'HaftListenerWarning',
    )
  }
  return (value: Value): void => {
    try {
      const answered: unknown = listener(value)
      if (answered instanceof Promise) answered.catch((thrown) => warn(value, thrown))
    } catch (thrown) {
      warn(value, thrown)
    }
  }
}
