import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { styleText } from 'node:util'
import { Option } from 'commander'
import type { explainTool } from '../../app/agent/explain-tool.ts'
import type { CallOptions } from '../../app/calls/call-starter.ts'
import type { HostOptions } from '../../app/create-host.ts'
import type { Home } from '../../app/home.ts'
import type { HomeOptions } from '../../app/home-options.ts'
import type { Host } from '../../app/host.ts'
import type { readServerSettings } from '../../app/open/read-server-settings.ts'
import type { examineMachine } from '../../app/overview/examine.ts'
import type { Listen } from '../../app/serve/http-server.ts'
import type { runSuite } from '../../app/suite/run-suite.ts'
import type { Suite } from '../../app/suite/suite.ts'
import { reasonOf } from '../../core/call/result.ts'
import type { Programs } from '../../core/ports/developer/programs.ts'
import { MODES, type Mode } from '../../core/session/mode.ts'
import type { Style } from '../../core/terminal/style.ts'
import { printable, printableJson } from '../../core/text/printable.ts'
import type { OpenTui } from '../../tui/options.ts'
import { reportUnreadOutput } from './interrupt.ts'

/** Exit codes. */
export const EXIT = { ok: 0, failed: 1, usage: 2, refused: 3, stopped: 4, interrupted: 130, unread: 141 } as const

/** Opens a host. */
export type HostMaker = (options: HostOptions) => Promise<Host>

/** What main.ts passes in, so that commands import no part of app. */
export interface CliParts {
  readonly createHost: HostMaker
  /** Opens a home, for commands about sessions. */
  openHome(options: HomeOptions): Promise<Home>
  /** Says what became of a tool in a session. */
  readonly explainTool: typeof explainTool
  /** Reads a suite file. Rejects with what is wrong, and where. */
  readSuite(path: string): Promise<Suite>
  /** Runs the tasks of a suite. */
  readonly runSuite: typeof runSuite
  /** Returns the suite file that comes with Haft. */
  suitePath(): string
  /** Tries what needs no host, for `haft doctor` where no host can be opened. */
  readonly examineMachine: typeof examineMachine
  /** Finds the programs that are started for the person: editors and browsers. */
  readonly programs: Programs
  readonly version: string
  /** Takes a port for `haft serve`. */
  readonly listen: Listen
  /** Opens the terminal UI. */
  readonly openTui: OpenTui
  /** Returns the settings of the server of a home. */
  readonly readServerSettings: typeof readServerSettings
  /** Returns the folder with the files of the web app. */
  pageFolder(): string
  /** Returns the folder with the Python packages that tool files import. */
  pythonPath(): string
}

/** What every command uses: how to open a host and how to print. */
export interface Cli extends CliParts {
  /** Writes text to stdout unchanged: text that is known to be safe. */
  write(text: string): void
  /** Writes a value to stdout as JSON, on a line of its own. On a terminal its invisible and control characters are escaped. */
  writeJson(value: unknown, indent?: number): void
  /** Writes a line to stdout. Text that Haft did not write must have gone through `paint`. */
  print(text: string): void
  /** Writes a line to stderr. Text that Haft did not write must have gone through `paintError`. */
  printError(text: string): void
}

/** Options that several commands share. */
export interface CommonOptions {
  workspace?: string
  yes?: boolean
  wait?: boolean
  json?: boolean
  mode?: Mode
}

/** Makes the printing functions of this process, and ends it cleanly when nobody reads its output any more. */
export function createCli(parts: CliParts): Cli {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', endWithReader)
  return {
    ...parts,
    write: (text) => void process.stdout.write(text),
    writeJson(value, indent) {
      const json = JSON.stringify(value, null, indent)
      process.stdout.write(`${process.stdout.isTTY ? printableJson(json) : json}\n`)
    },
    print: (text) => void process.stdout.write(`${text}\n`),
    printError: (text) => void process.stderr.write(`${text}\n`),
  }
}

let isReaderGone = false

/** Handles an error of stdout or stderr. If the reader has gone (`haft log | head`, a closed terminal), ends the process cleanly where something listens for requests to end, else at once. Any other error, such as a full disk, ends it with a failure. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (isReaderGone) return
  isReaderGone = true
  const isFailure = error.code !== 'EPIPE' && error.code !== 'EIO'
  if (isFailure) {
    process.stderr.write(`haft: cannot write the output: ${reasonOf(error)}\n`)
    process.once('exit', () => {
      process.exitCode = EXIT.failed
    })
  }
  if (!reportUnreadOutput()) process.exit(isFailure ? EXIT.failed : EXIT.unread)
}

/** Colours text for stdout if that is a terminal with colours. Control characters in the text are escaped. */
export function paint(style: Style, text: string): string {
  return styleText(style, printable(text), { stream: process.stdout })
}

/** Colours text for stderr, as `paint` does for stdout. */
export function paintError(style: Style, text: string): string {
  return styleText(style, printable(text), { stream: process.stderr })
}

/** Returns the width of the terminal of a stream; infinite if it is not a terminal. */
export function columnsOf(stream: NodeJS.WriteStream): number {
  return stream.columns || Number.POSITIVE_INFINITY
}

/** Returns the folder to work in: --workspace, else HAFT_WORKSPACE, else the current folder. */
export function workspaceOf({ workspace }: CommonOptions): string {
  return workspace || process.env.HAFT_WORKSPACE || process.cwd()
}

/** Returns the folder of settings and log: HAFT_HOME, else `~/.haft`. */
export function homeFolder(): string {
  return resolve(process.env.HAFT_HOME || join(homedir(), '.haft'))
}

/** Returns the option `--mode`. */
export function modeOption(): Option {
  return new Option('--mode <mode>', 'how much runs without asking (default: mode in the settings, else ask)').choices([
    ...MODES,
  ])
}

/** Returns the call options that `--yes` stands for. */
export function decisionOf({ yes }: CommonOptions): Pick<CallOptions, 'decision' | 'by'> {
  return yes ? { decision: 'allow', by: '--yes' } : {}
}
