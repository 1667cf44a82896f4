import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { TOOLS_FOLDER, temporaryFolder } from './example-host.ts'

const root = join(import.meta.dirname, '../..')

/** A separate copy of the built Haft, with the example tools among the built-in ones, and an empty workspace. */
export interface BuiltProgram {
  readonly main: string
  readonly tools: string
  readonly workspace: string
  /** Its HAFT_HOME; not there before the first call. */
  readonly home: string
}

/** How a command ended and what it printed. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Copies the built program into its own folder, which is removed when the test ends. */
export function buildProgram(): BuiltProgram {
  const folder = temporaryFolder()
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true })
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  cpSync(TOOLS_FOLDER, join(folder, 'dist/tools'), { recursive: true })
  mkdirSync(join(folder, 'workspace'))
  return {
    main: join(folder, 'dist/main.js'),
    tools: join(folder, 'dist/tools'),
    workspace: join(folder, 'workspace'),
    home: join(folder, 'home'),
  }
}

interface RunOptions {
  input?: string
  env?: Record<string, string>
  nodeOptions?: string[]
  /** Called once it runs, with a way to send a signal. */
  onStart?(kill: (signal: NodeJS.Signals) => void): void
  /** Called with each piece of stderr, and a way to send a signal. */
  onStderr?(text: string, kill: (signal: NodeJS.Signals) => void): void
  /** Called with each piece of output that a call streams, as soon as the log has it. */
  onLogged?(text: string, kill: (signal: NodeJS.Signals) => void): void
}

/** Runs `haft …` in the workspace without a terminal. */
export function haft(program: BuiltProgram, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { input = '', env = {}, nodeOptions = [], onStart, onStderr, onLogged } = options
  const child = spawn(process.execPath, [...nodeOptions, program.main, ...args], {
    cwd: program.workspace,
    env: {
      PATH: process.env.PATH,
      TMPDIR: tmpdir(),
      HOME: join(program.workspace, '../person'),
      HAFT_HOME: program.home,
      NO_COLOR: '1',
      ...env,
    },
  })
  onStart?.((signal) => child.kill(signal))
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    onStderr?.(text, (signal) => child.kill(signal))
  })
  child.stdin.on('error', () => undefined).end(input)
  const stopFollowing = onLogged && followDeltas(program, (text) => onLogged(text, (signal) => child.kill(signal)))
  return new Promise((resolve) => {
    child.on('close', (code) => {
      stopFollowing?.()
      resolve({ code, stdout, stderr })
    })
  })
}

/** Passes on what calls stream from now on, as the log receives it; returns a function that stops this. */
function followDeltas({ home }: BuiltProgram, hear: (text: string) => void): () => void {
  const path = join(home, 'log.db')
  let last = existsSync(path) ? readEvents(path, 0).last : 0
  const timer = setInterval(() => {
    if (!existsSync(path)) return
    const { last: next, events } = readEvents(path, last)
    last = next
    for (const { type, text = '' } of events) if (type === 'call-delta') hear(text)
  }, 20)
  return () => clearInterval(timer)
}

interface LoggedEvent {
  readonly type: string
  readonly text?: string
}

/** The events of all rows after one; none while the file has no such table yet. */
function readEvents(path: string, after: number): { last: number; events: LoggedEvent[] } {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 1_000 })
  try {
    if (!database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'events'").get()) return { last: after, events: [] }
    const rows = database
      .prepare('SELECT last_cursor, body FROM events WHERE last_cursor > ? ORDER BY last_cursor')
      .all(after)
    const events = rows.flatMap(({ body }): LoggedEvent[] => JSON.parse(String(body)))
    return { last: Number(rows.at(-1)?.last_cursor ?? after), events }
  } finally {
    database.close()
  }
}
