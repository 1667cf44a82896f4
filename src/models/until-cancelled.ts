/** The value of a promise, or undefined once the signal aborts; the promise itself goes on. */
export async function untilCancelled<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  if (signal.aborted) return undefined
  const cancelled = Promise.withResolvers<undefined>()
  const cancel = () => cancelled.resolve(undefined)
  signal.addEventListener('abort', cancel, { once: true })
  try {
    return await Promise.race([promise, cancelled.promise])
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
