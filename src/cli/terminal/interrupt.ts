/** The wish of a person or the system that this process ends. */
export interface Interrupt {
  /** Aborted at the first wish. */
  readonly signal: AbortSignal
  /** Resolves at the first wish. */
  readonly wished: Promise<void>
  /** How the process is to end, once there was a wish. */
  exitCode(): number | undefined
  /** Stops listening. */
  stop(): void
}

const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGPIPE: 141 } as const
const SIGNALS = Object.keys(CODES) as (keyof typeof CODES)[]

/** Listens for Ctrl-C, the signals that ask a process to end and word that nobody reads what it prints: the first is a wish to end cleanly, a second ends at once. A closed terminal is both a signal and nobody who reads: one wish. */
export function listenForInterrupt(): Interrupt {
  const controller = new AbortController()
  const wished = Promise.withResolvers<void>()
  let code: number | undefined
  const hear = (name: NodeJS.Signals) => {
    const found = CODES[name as keyof typeof CODES]
    if (code !== undefined && name === 'SIGPIPE') return
    if (code !== undefined) process.exit(found)
    code = found
    controller.abort(new Error(`Haft was told to end (${name})`))
    wished.resolve()
  }
  for (const name of SIGNALS) process.on(name, hear)
  return {
    signal: controller.signal,
    wished: wished.promise,
    exitCode: () => code,
    stop() {
      for (const name of SIGNALS) process.off(name, hear)
    },
  }
}
