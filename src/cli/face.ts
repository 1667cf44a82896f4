import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { styleText } from 'node:util'
import type { CallOptions } from '../app/call-starter.ts'
import type { HostOptions } from '../app/create-host.ts'
import type { Host } from '../app/host.ts'
import { printable } from '../core/printable.ts'
import { reasonOf } from '../core/result.ts'

/** How commands end. */
export const EXIT = { ok: 0, failed: 1, usage: 2, refused: 3, interrupted: 130, unread: 141 } as const

/** Makes hosts; handed in by main, so that commands need not know how. */
export type HostMaker = (options: HostOptions) => Promise<Host>

/** What every command works with. */
export interface Cli {
  readonly createHost: HostMaker
  /** The folder with the Python packages that tool files import. */
  pythonPath(): string
  /** Writes to stdout as it is: JSON, or text that is known to be safe. */
  write(text: string): void
  /** Writes a line for people to stdout, harmless whatever it holds. */
  say(text: string): void
  /** Writes a line for people to stderr, harmless whatever it holds. */
  tell(text: string): void
}

/** Options that every command which makes calls takes. */
export interface CommonOptions {
  workspace?: string
  yes?: boolean
  wait?: boolean
  json?: boolean
}

/** Makes the face of this process. */
export function createCli({ createHost, pythonPath }: Pick<Cli, 'createHost' | 'pythonPath'>): Cli {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', endWithReader)
  return {
    createHost,
    pythonPath,
    write: (text) => void process.stdout.write(text),
    say: (text) => void process.stdout.write(`${text}\n`),
    tell: (text) => void process.stderr.write(`${text}\n`),
  }
}

let isReaderGone = false

/** Ends as other programs do when nobody reads on, as in `haft log | head` or a closed terminal: cleanly where something listens for that, else at once. Output that cannot be written for another reason, as on a full disk, ends it too, but in failure. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (isReaderGone) return
  isReaderGone = true
  const isFailure = error.code !== 'EPIPE' && error.code !== 'EIO'
  if (isFailure) {
    process.stderr.write(`haft: its output cannot be written: ${reasonOf(error)}\n`)
    process.once('exit', () => {
      process.exitCode = EXIT.failed
    })
  }
  if (!process.emit('SIGPIPE', 'SIGPIPE')) process.exit(isFailure ? EXIT.failed : EXIT.unread)
}

/** How `paint` colours. */
export type Style = Parameters<typeof styleText>[0]

/** Text in a colour where stdout is a terminal that wants colours; control characters in it are shown, not sent. */
export function paint(style: Style, text: string): string {
  return styleText(style, printable(text), { stream: process.stdout })
}

/** The same for stderr. */
export function paintError(style: Style, text: string): string {
  return styleText(style, printable(text), { stream: process.stderr })
}

/** How wide the terminal is that stdout or stderr goes to; without end where there is none. */
export function columnsOf(stream: NodeJS.WriteStream): number {
  return stream.columns || Number.POSITIVE_INFINITY
}

/** The folder to work in: the flag, HAFT_WORKSPACE, or the current one. */
export function workspaceOf({ workspace }: CommonOptions): string {
  return workspace || process.env.HAFT_WORKSPACE || process.cwd()
}

/** Where settings and log lie: HAFT_HOME, or `.haft` in the person's home. */
export function homeFolder(): string {
  return resolve(process.env.HAFT_HOME || join(homedir(), '.haft'))
}

/** The answer `--yes` gives to questions. */
export function decisionOf({ yes }: CommonOptions): Pick<CallOptions, 'decision' | 'by'> {
  return yes ? { decision: 'allow', by: '--yes' } : {}
}
