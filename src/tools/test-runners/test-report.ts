/** One test that failed. */
export interface TestFailure {
  readonly name: string
  readonly file?: string
  readonly line?: number
  readonly message: string
}

/** What a runner reports of its tests. */
export interface TestReport {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly failures: readonly TestFailure[]
}

/** What a runner printed, and the files that it wrote its report to, one after another. */
export interface RunnerOutput {
  readonly stdout: string
  readonly stderr: string
  readonly report: string
}

const MAX_FAILURES = 100
const MAX_MESSAGE = 2_000

/** One test of a report, whichever format it has. */
export interface TestCase {
  readonly name: string
  readonly state: 'passed' | 'failed' | 'skipped'
  readonly file?: string | undefined
  readonly line?: number | undefined
  readonly message?: string | undefined
}

/** Counts tests; undefined if there are none, since then nothing is known. */
export function countTests(cases: readonly TestCase[]): TestReport | undefined {
  if (cases.length === 0) return undefined
  const count = (state: TestCase['state']) => cases.filter((one) => one.state === state).length
  const failures = cases
    .filter(({ state }) => state === 'failed')
    .slice(0, MAX_FAILURES)
    .map(({ name, file, line, message = '' }) => ({
      name,
      ...(file !== undefined && { file }),
      ...(line !== undefined && Number.isInteger(line) && line > 0 && { line }),
      message: shorten(message.trim()),
    }))
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped'), failures }
}

function shorten(message: string): string {
  return message.length <= MAX_MESSAGE ? message : `${message.slice(0, MAX_MESSAGE)}…`
}
