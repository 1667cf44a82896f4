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

const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
const SIGNALS = Object.keys(CODES) as (keyof typeof CODES)[]

/** The exit code where nobody reads the output any more, as of a program that SIGPIPE ended. */
const UNREAD = 141

const outputListeners = new Set<() => void>()

/**
 * Says that nobody reads the output of this process any more. True if something listens for requests to end.
 * The signal SIGPIPE itself is not listened for: it is also sent for the pipe of every program that has ended.
 */
export function reportUnreadOutput(): boolean {
  for (const listener of outputListeners) listener()
  return outputListeners.size > 0
}

/** Listens for Ctrl-C, SIGTERM, SIGHUP, and output that nobody reads. The first one asks to end cleanly, a second signal ends the process at once. A closed terminal sends SIGHUP and closes the output; they count as one. */
export function listenForInterrupt(): Interrupt {
  const controller = new AbortController()
  const requested = Promise.withResolvers<void>()
  let code: number | undefined
  const ask = (found: number, why: string) => {
    code = found
    controller.abort(new Error(`Haft was asked to end (${why})`))
    requested.resolve()
  }
  const onSignal = (name: NodeJS.Signals) => {
    const found = CODES[name as keyof typeof CODES]
    if (code !== undefined) process.exit(found)
    ask(found, name)
  }
  const onUnread = () => {
    if (code === undefined) ask(UNREAD, 'nobody reads its output')
  }
  for (const name of SIGNALS) process.on(name, onSignal)
  outputListeners.add(onUnread)
  return {
    signal: controller.signal,
    requested: requested.promise,
    exitCode: () => code,
    stop() {
      for (const name of SIGNALS) process.off(name, onSignal)
      outputListeners.delete(onUnread)
    },
  }
}
