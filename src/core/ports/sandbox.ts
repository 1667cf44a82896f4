import type { Mode } from '../session/mode.ts'

/** The limits of a run; a run that exceeds one is ended. Sizes are in bytes. */
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

/** Placeholder in `argv` for the path of the file that holds the order's `script`. A real argument cannot contain a NUL. */
export const SCRIPT_PLACE = '\0script'

/** Sizes that every system accepts, in bytes: of one argument, and of all arguments and the environment together. */
export const MAX_WORD_BYTES = 120_000
export const MAX_ARGUMENT_BYTES = 1_000_000

export type OutputStream = 'stdout' | 'stderr'

/** What to run and under which limits. */
export interface RunOrder {
  /** The program, found on the sandbox's own PATH, and its arguments. */
  readonly argv: readonly string[]
  /** Text of any length that the program reads as a file. */
  readonly script?: string
  /** Relative to the workspace; the workspace itself when left out. */
  readonly cwd?: string
  /** Added to the cleaned environment. */
  readonly env?: Readonly<Record<string, string>>
  readonly limits?: Partial<RunLimits>
  /** Runs on the workspace itself, without an overlay: changes take effect at once. */
  readonly direct?: boolean
  /** Shows what would change and applies nothing. */
  readonly dryRun?: boolean
  /** Called with every piece of output, in order. */
  output?(stream: OutputStream, text: string): void
}

/** The call that an order is run for, and the signal that ends it early. */
export interface RunOwner {
  readonly call: string
  readonly signal: AbortSignal
  /** The mode of the call's session; in `plan` nothing of a run is applied, in `review` a person approves what it really changed. */
  readonly mode?: Mode
  /** Asks a person before a change to files that other programs trust is applied. Rejects if the change may not be applied. Left out if there is nobody to ask. */
  confirm?(change: TrustedChange): Promise<void>
}

/** What a run changed in files that other programs execute or trust. Nothing of the run is applied yet. */
export interface TrustedChange {
  readonly files: ChangedFiles
  /** The same as a unified diff, bounded. */
  readonly diff: string
}

/** How a run ended: `exit` if by itself, else what ended it. */
export type RunEnding = 'exit' | 'cancelled' | 'timeout' | 'cpu' | 'memory' | 'processes' | 'output' | 'disk'

/** How the run worked on the workspace: on an overlay whose changes are renamed into place at the end (`overlay`) or copied from another file system (`copied`), directly (`direct`), or without a sandbox (`bare`). */
export type RunMode = 'overlay' | 'copied' | 'direct' | 'bare'

/** What a run did to the workspace; paths are relative to it. */
export interface ChangedFiles {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly deleted: readonly string[]
  /** New links that lead out of the workspace. */
  readonly leadingOut?: readonly string[]
  /** Fifos, sockets and devices that it created; they are not applied to the workspace. */
  readonly leftOut?: readonly string[]
}

/** How a run went. Where `ended` is not `exit` and the mode is `overlay` or `copied`, nothing of it was applied. */
export interface RunReport {
  readonly stdout: string
  readonly stderr: string
  /** 128 plus the signal's number if a signal ended it. */
  readonly exitCode: number
  /** Milliseconds. */
  readonly duration: number
  readonly ended: RunEnding
  readonly mode: RunMode
  /** True if the network was off. */
  readonly isOffline?: boolean
  /** True if the command line shows that it needs the network. */
  readonly needsNetwork?: boolean
  /** For a run on the workspace itself: the files trusted by git that could not be protected, as text. */
  readonly unguarded?: readonly string[]
  readonly changed?: ChangedFiles
  /** For a dry run: what it would change, as a unified diff, bounded. */
  readonly diff?: string
}

/** The test of one promise of the sandbox: whether it holds on this machine, what was seen, and how to fix it. */
export interface SandboxFinding {
  readonly promise: string
  readonly holds: boolean
  readonly seen: string
}

/** A program that stays and is spoken to through its standard input and output. */
export interface ProgramOrder {
  /** The program, found on the PATH of where it runs, and its arguments. */
  readonly argv: readonly string[]
  /** Added to its environment. */
  readonly env?: Readonly<Record<string, string>>
  readonly limits?: Partial<RunLimits>
  /** Called with every piece of output, in order. */
  output(stream: OutputStream, text: string): void
}

/** A program that was started and stays until it is ended. */
export interface RunningProgram {
  /** Sends text to its standard input; nothing once it has ended. */
  send(text: string): void
  /** Resolves when it has ended and its output was passed on, to how it ended, in words: `it ended with exit code 1`. */
  readonly ended: Promise<string>
  /** Ends it with everything that it started. May be called twice. */
  end(): void
  /** Sets whether it keeps this process running. */
  hold(held: boolean): void
}

/** Runs commands. `run` throws ToolError if the command cannot be run at all, and never leaves a process behind. */
export interface Sandbox {
  run(order: RunOrder, owner: RunOwner): Promise<RunReport>
  /** Starts a program that stays, in the workspace, which it can read and not change. Missing where programs cannot stay; rejects with ToolError if none can be run at all. */
  start?(order: ProgramOrder): Promise<RunningProgram>
  /** True if commands have no network; false when left out. */
  readonly isOffline?: boolean
  /** Tests each promise and reports what works on this machine. */
  examine(): Promise<readonly SandboxFinding[]>
  /** Ends the sandboxes that wait for an order. Active runs are ended by their signals. May be called twice. */
  close(): Promise<void>
}
