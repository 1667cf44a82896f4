import type { Failure } from '../../core/call/result.ts'
import { isRecord } from '../../core/text/json.ts'
import type { Host } from '../host.ts'
import type { SuiteTask } from './suite.ts'

/** What a verify command said. */
export interface Verified {
  /** `not run` where it could not be run, or its files not be written. */
  readonly state: 'passed' | 'failed' | 'not run'
  /** Why it did not pass; empty where it did. */
  readonly reason: string
  /** The last lines that it printed. */
  readonly output: string
}

/** Seconds for a verify command. */
const SECONDS = 120
/** The most lines of its output that are kept. */
const LINES = 20

/** Writes the files of the check and runs the verify command in the sandbox, through the pipeline as every call: rules that deny still do. */
export async function verifyTask(
  { verify, verifyFiles }: SuiteTask,
  host: Host,
  signal: AbortSignal,
): Promise<Verified> {
  const session = await host.session({ decision: 'allow', by: 'suite' })
  for (const [path, content] of Object.entries(verifyFiles)) {
    const written = await session.call('write_file', { path, content }, { signal })
    if (!written.ok) return notRun(`${path} could not be written`, written)
  }
  const result = await session.call('shell', { command: verify, timeout: SECONDS }, { signal })
  if (!result.ok) return notRun('the verify command could not be run', result)
  const { exitCode, stdout = '', stderr = '' } = isRecord(result.data) ? result.data : {}
  if (exitCode === 0) return { state: 'passed', reason: '', output: '' }
  const reason = `verify ended with exit code ${String(exitCode)}`
  return { state: 'failed', reason, output: lastLines(`${stdout}\n${stderr}`) }
}

function notRun(what: string, { code, text }: Failure): Verified {
  return { state: 'not run', reason: `${what}: ${code} ${text}`, output: '' }
}

function lastLines(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.slice(-LINES).join('\n')
}
