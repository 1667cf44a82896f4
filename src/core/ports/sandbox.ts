import type { Mode } from '../session/mode.ts'
import type { Connection } from './http.ts'

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
  /** Of all that one run writes to the workspace. */
  readonly written: number
  /** The number of files and folders that one run writes to the workspace or deletes there. */
  readonly files: number
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
  files: 200_000,
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
  /** Runs while others change the workspace: only paths that both sides changed conflict, and then its changes stay pending. */
  readonly background?: boolean
  /** Runs on the workspace itself, without an overlay: changes take effect at once, neither guarded nor undoable. */
  readonly direct?: boolean
  /** Shows what would change and applies nothing. */
  readonly dryRun?: boolean
  /** Ports that the run listens on, to be opened on this machine while it runs. */
  readonly ports?: readonly number[]
  /** What the run may reach of the network; nothing when left out. Set by the pipeline, never by a tool. */
  readonly network?: RunNetwork
  /** Called with every piece of output, in order. */
  output?(stream: OutputStream, text: string): void
}

/** The network of a run: every connection is decided outside its sandbox. */
export interface RunNetwork {
  /** Addresses of this machine that exist inside the sandbox too, and lead to `connect`. */
  readonly local: readonly { readonly host: string; readonly port: number }[]
  /** Opens a connection for the run. Rejects with ToolError, whose text the program is given. */
  connect(target: { readonly host: string; readonly port: number }): Promise<Connection>
  /** Called once the run can be reached: `reach` connects to a port inside. */
  begun?(reach: (port: number) => Promise<Connection>): void
}

/** The call that an order is run for, and the signal that ends it early. */
export interface RunOwner {
  readonly call: string
  readonly signal: AbortSignal
  /** The mode of the call's session; in `plan` nothing of a run is applied, in `review` a person approves what it really changed. */
  readonly mode?: Mode
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
  /** True where git ignored the path before the run; told only in the mode `review`. */
  readonly isIgnored?: boolean
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

/** One file of pending changes, for a person who decides about it. */
export interface PendingFile {
  readonly path: string
  readonly kind: 'added' | 'changed' | 'deleted'
  /** The change as a unified diff against what lies there now, bounded. */
  readonly diff: string
  /** True where somebody else changed the path since the run began. */
  readonly isConflicting: boolean
}

/** Which pending changes to apply: all or none, those that conflict with nothing, or those at and below some paths, whatever lies there now. */
export type PendingChoice = 'all' | 'without conflict' | readonly string[]

/** The pending changes of a workspace that no living process is working on. */
export interface PendingChanges {
  list(): Promise<readonly PendingRun[]>
  /** Shows the pending changes of a call, file by file; undefined where nothing is pending. */
  show(call: string): Promise<readonly PendingFile[] | undefined>
  /** Applies the changes of a call, all or none, after checking that nobody else changed the same paths, and returns the report of its run. Rejects with FILE_NOT_FOUND where nothing is pending and with CONFLICT, and then they stay pending; what a choice leaves stays pending too. */
  apply(call: string, choice?: PendingChoice, who?: Settler): Promise<RunReport>
  /** Forgets the changes of a call; false where there are none. */
  discard(call: string, who?: Settler): Promise<boolean>
}

/** Who decides about pending changes, for the log. */
export interface Settler {
  /** The interface that the decision came through; `program` when left out. */
  readonly by?: string
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
  | 'files'

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
  /** The most that it might write, in bytes, where that ended it. */
  readonly writeLimit?: number
  /** The most files that it might write, where that ended it. */
  readonly fileLimit?: number
  readonly mode: RunMode
  /** True if the network was off. */
  readonly isOffline?: boolean
  /** Why connections of the run were refused or failed, as sentences; each once. */
  readonly refused?: readonly string[]
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
  /** What to do where it does not hold: a command, or a sentence. */
  readonly remedy?: string
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
  /** True if `network` of an order can open hosts to a command. */
  readonly canConnect?: boolean
  /** What earlier runs left to decide about; undefined if runs change the workspace itself. */
  readonly pending?: PendingChanges
  /** Tests each promise and reports what works on this machine. */
  examine(): Promise<readonly SandboxFinding[]>
  /** Ends the sandboxes that wait for an order. Active runs are ended by their signals. May be called twice. */
  close(): Promise<void>
}
