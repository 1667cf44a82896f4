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
  /** Of all that one run writes to the workspace. */
  readonly written: number
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
  written: 5 * 1024 ** 3,
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
  /** Runs while others change the workspace: only paths that both sides changed conflict, and then its changes stay pending. */
  readonly background?: boolean
  /** Gives the run the workspace itself: its changes happen as it makes them, neither guarded nor undoable. */
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
  /** Judges what the run really changed, before it is applied: a deny discards all of it, an ask needs `confirm`. Left out where nothing is judged. */
  judge?(changes: readonly RunChange[]): RunVerdict
  /** Paths that a person was shown and approved before the run, as they were written; they are not asked about again. */
  readonly approvedPaths?: readonly string[]
  /** Asks a person before changes are applied; rejects where they may not be. Left out where there is nobody to ask. */
  confirm?(change: ReviewedChange): Promise<void>
}

/** One path that a run really changed, before it is applied. */
export interface RunChange {
  readonly kind: 'writes' | 'deletes'
  readonly path: string
  /** True where the workspace held something at the path before the run. */
  readonly existed: boolean
}

/** What the rules decide about the changes of a run, and about which path. */
export interface RunVerdict {
  readonly decision: 'allow' | 'ask' | 'deny'
  readonly rule: string
  readonly reason: string
  readonly path?: string
}

/** What a run did that a person must approve, while nothing of the run is applied yet. */
export interface ReviewedChange {
  readonly files: ChangedFiles
  /** The same as a unified diff, bounded. */
  readonly diff: string
  /** The rule that asks, and why. */
  readonly rule: string
  readonly reason: string
}

/** Changes of a run that are kept on disk until somebody applies or discards them: their request was not answered while its process lived, or they conflict with other changes. */
export interface PendingRun {
  readonly call: string
  readonly files: ChangedFiles
  /** Milliseconds since 1970. */
  readonly since: number
  /** Why they were not applied; undefined while an approval request waits. */
  readonly conflict?: string
}

/** Which pending changes to apply: all or none, those that conflict with nothing, or those at and below some paths, whatever lies there now. */
export type PendingChoice = 'all' | 'without conflict' | readonly string[]

/** The pending changes of a workspace that no living process is working on. */
export interface PendingChanges {
  list(): Promise<readonly PendingRun[]>
  /** Applies the changes of a call, all or none, after checking that nobody else changed the same paths, and returns the report of its run. Rejects with FILE_NOT_FOUND where nothing is pending and with CONFLICT, and then they stay pending; what a choice leaves stays pending too. */
  apply(call: string, choice?: PendingChoice): Promise<RunReport>
  /** Forgets the changes of a call; false where there are none. */
  discard(call: string): Promise<boolean>
}

/** How a run ended: by itself, or by what. */
export type RunEnding =
  | 'exit'
  | 'cancelled'
  | 'timeout'
  | 'cpu'
  | 'memory'
  | 'processes'
  | 'output'
  | 'disk'
  | 'written'

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
  /** What earlier runs left to decide about; undefined where runs change the workspace itself. */
  readonly pending?: PendingChanges
  /** Tries each promise and says what holds on this machine. */
  examine(): Promise<readonly SandboxFinding[]>
  /** Ends what waits; runs under way are ended by their signals. May be called twice. */
  close(): Promise<void>
}
