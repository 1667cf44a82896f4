import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { ListedApproval } from '../../src/core/approval/listed-approval.ts'
import { type BuiltProgram, type Ended, haft } from './built-program.ts'

/** A `haft call --wait` that waits for an answer from another interface. */
export interface WaitingCall {
  readonly id: string
  readonly open: ListedApproval
  /** How it ends. */
  readonly ended: Promise<Ended>
  /** Ends it as a crash of the machine would, at once. */
  kill(): Promise<void>
}

/** Starts a call without a terminal, and resolves when its approval request is visible to others. */
export async function startWaiting(program: BuiltProgram, tool: string, args: object): Promise<WaitingCall> {
  const child = spawn(process.execPath, [program.main, 'call', tool, JSON.stringify(args), '--wait', '--json'], {
    cwd: program.workspace,
    env: environmentOf(program),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = collect(child)
  const said = await Promise.race([whatItSays(child), ended.then(({ stdout, stderr }) => stdout + stderr)])
  const id = /haft approvals (\S+)/.exec(said)?.[1] ?? `none: ${said}`
  let open: ListedApproval | undefined
  const look = async () => {
    open = (await openRequests(program)).find((one) => one.id === id)
    return open?.id
  }
  await expect.poll(look, { timeout: 20_000, interval: 50 }).toBe(id)
  if (!open) throw new Error(`the call does not wait: ${said}`)
  const kill = async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
  }
  return { id, open, ended, kill }
}

/** What `haft approvals` lists. */
export async function openRequests(program: BuiltProgram): Promise<readonly ListedApproval[]> {
  const { stdout } = await haft(program, ['approvals', '--json'])
  return JSON.parse(stdout).approvals
}

function environmentOf(program: BuiltProgram): Record<string, string | undefined> {
  const person = join(program.workspace, '../person')
  return { PATH: process.env.PATH, TMPDIR: tmpdir(), HOME: person, HAFT_HOME: program.home, NO_COLOR: '1' }
}

/** Resolves to the line that says that the call waits. */
function whatItSays(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => child.stderr?.once('data', (text: unknown) => resolve(String(text))))
}

function collect(child: ChildProcess): Promise<Ended> {
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })))
}
