import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TOOLS_FOLDER, temporaryFolder } from './example-host.ts'

const root = join(import.meta.dirname, '../..')

/** A built Haft of its own, with the example tools among the built-in ones, and an empty workspace. */
export interface House {
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

/** Copies the built program into a folder of its own; it is gone when the test ends. */
export function buildHouse(): House {
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
  /** Called with each piece of stderr, and a way to send a signal. */
  onStderr?(text: string, kill: (signal: NodeJS.Signals) => void): void
}

/** Runs `haft …` in the house's workspace with nobody at a terminal. */
export function haft(house: House, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { input = '', env = {}, nodeOptions = [], onStderr } = options
  const child = spawn(process.execPath, [...nodeOptions, house.main, ...args], {
    cwd: house.workspace,
    env: {
      PATH: process.env.PATH,
      TMPDIR: tmpdir(),
      HOME: join(house.workspace, '../person'),
      HAFT_HOME: house.home,
      NO_COLOR: '1',
      ...env,
    },
  })
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
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
}
