/** Requests to end this process, from a person or the system. */
export interface Interrupt {
  /** Aborted by the first request. */
  readonly signal: AbortSignal
  /** Resolves at the first request. */
  readonly requested: Promise<void>
  /** The exit code, once there was a request. */
  exitCode(): number | undefined
  /** Stops listening. */
  stop(): void
}

const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGPIPE: 141 } as const
const SIGNALS = Object.keys(CODES) as (keyof typeof CODES)[]

/** Listens for Ctrl-C, SIGTERM, SIGHUP, and SIGPIPE (nobody reads the output). The first one asks to end cleanly, a second one ends the process at once. A closed terminal sends SIGHUP and SIGPIPE; they count as one. */
export function listenForInterrupt(): Interrupt {
  const controller = new AbortController()
  const requested = Promise.withResolvers<void>()
  let code: number | undefined
  const onSignal = (name: NodeJS.Signals) => {
    const found = CODES[name as keyof typeof CODES]
    if (code !== undefined && name === 'SIGPIPE') return
    if (code !== undefined) process.exit(found)
    code = found
    controller.abort(new Error(`Haft was asked to end (${name})`))
    requested.resolve()
  }
  for (const name of SIGNALS) process.on(name, onSignal)
  return {
    signal: controller.signal,
    requested: requested.promise,
    exitCode: () => code,
    stop() {
      for (const name of SIGNALS) process.off(name, onSignal)
    },
  }
}
