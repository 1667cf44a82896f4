import type { Mode } from '../session/mode.ts'

/** What a run may use before it is ended; bytes, but for seconds and counts. */
export interface RunLimits {
  /** Wall time. */
  readonly seconds: number
  /** Processor time of any one process. */
  readonly cpuSeconds: number
  /** Of all its processes together. */
  readonly memory: number
  readonly processes: number
  /** Of any one file. */
  readonly fileSize: number
  /** Of both streams together. */
  readonly output: number
}

/** The limits of a run that names none. */
export const DEFAULT_LIMITS: RunLimits = Object.freeze({
  seconds: 600,
  cpuSeconds: 600,
  memory: 2 * 1024 ** 3,
  processes: 512,
  fileSize: 1024 ** 3,
  output: 10 * 1024 ** 2,
})

/** Stands in `argv` for the path of the file that holds the order's `script`; no real argument can hold a NUL. */
export const SCRIPT_PLACE = '\0script'

/** How much of an argument list always fits: bytes of one word, and of all words and the environment together. */
export const MAX_WORD_BYTES = 120_000
export const MAX_ARGUMENT_BYTES = 1_000_000

export type OutputStream = 'stdout' | 'stderr'

/** What to run and under which limits. */
export interface RunOrder {
  /** The program, found on the sandbox's own PATH, and its arguments. */
  readonly argv: readonly string[]
  /** Text of any length that the program reads as a file. */
  readonly script?: string
  /** Relative to the workspace, which it is when left out. */
  readonly cwd?: string
  /** Added to the scrubbed environment. */
  readonly env?: Readonly<Record<string, string>>
  readonly limits?: Partial<RunLimits>
  /** Gives the run the workspace itself: its changes happen as it makes them. */
  readonly direct?: boolean
  /** Shows what would change and applies nothing. */
  readonly dryRun?: boolean
  /** Hears every piece of output, in the order it came. */
  output?(stream: OutputStream, text: string): void
}

/** In whose name an order is run, and what ends it early. */
export interface RunOwner {
  readonly call: string
  readonly signal: AbortSignal
  /** The mode of the call's session; in `plan` nothing of a run is applied, in `review` a person approves what it really changed. */
  readonly mode?: Mode
  /** Asks a person before a change to files that other programs trust is applied; rejects where it may not be. Left out where there is nobody to ask. */
  confirm?(change: TrustedChange): Promise<void>
}

/** What a run did to files that other programs execute or trust, while nothing of the run is applied yet. */
export interface TrustedChange {
  readonly files: ChangedFiles
  /** The same as a unified diff, bounded. */
  readonly diff: string
}

/** How a run ended: by itself, or by what. */
export type RunEnding = 'exit' | 'cancelled' | 'timeout' | 'cpu' | 'memory' | 'processes' | 'output' | 'disk'

/** How the workspace was given: changes renamed into place at the end, copied there from another file system, made directly, or with no sandbox at all. */
export type RunMode = 'overlay' | 'copied' | 'direct' | 'bare'

/** What a run did to the workspace; paths are relative to it. */
export interface ChangedFiles {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly deleted: readonly string[]
  /** New links that lead out of the workspace. */
  readonly leadingOut?: readonly string[]
  /** Fifos, sockets and devices that it left; they are not brought into the workspace. */
  readonly leftOut?: readonly string[]
}

/** How a run went. Where `ended` is not `exit` and the mode is `overlay` or `copied`, nothing of it was applied. */
export interface RunReport {
  readonly stdout: string
  readonly stderr: string
  /** 128 and the signal's number where a signal ended it. */
  readonly exitCode: number
  /** Milliseconds. */
  readonly duration: number
  readonly ended: RunEnding
  readonly mode: RunMode
  /** True where it could reach no other machine. */
  readonly isOffline?: boolean
  /** True where it was read beforehand that it cannot work without reaching another machine. */
  readonly needsNetwork?: boolean
  /** What the command could have changed of what git trusts, where it had the workspace itself; in words. */
  readonly unguarded?: readonly string[]
  readonly changed?: ChangedFiles
  /** Of a dry run: what it would change, as a unified diff, bounded. */
  readonly diff?: string
}

/** One promise of a sandbox that was tried: whether it holds here, what was seen, and what would mend it. */
export interface SandboxFinding {
  readonly promise: string
  readonly holds: boolean
  readonly seen: string
}

/** Where commands are run. `run` throws ToolError where it cannot run at all, and never leaves a process behind. */
export interface Sandbox {
  run(order: RunOrder, owner: RunOwner): Promise<RunReport>
  /** True where commands can reach no other machine; false when left out. */
  readonly isOffline?: boolean
  /** Tries each promise and says what holds on this machine. */
  examine(): Promise<readonly SandboxFinding[]>
  /** Ends what waits; runs under way are ended by their signals. May be called twice. */
  close(): Promise<void>
}
