import { isRecord } from '../../core/text/json.ts'
import { countTests, type TestCase, type TestReport } from './test-report.ts'

/** Reads the report of jest, which vitest writes too. */
export function readJestReport(text: string, root: string): TestReport | undefined {
  const report = parse(text)
  const files = isRecord(report) && Array.isArray(report.testResults) ? report.testResults.filter(isRecord) : []
  return countTests(files.flatMap((file) => casesOf(file, root)))
}

function casesOf(file: Readonly<Record<string, unknown>>, root: string): readonly TestCase[] {
  const path = relativeTo(root, String(file.name ?? ''))
  const tests = Array.isArray(file.assertionResults) ? file.assertionResults.filter(isRecord) : []
  if (tests.length === 0 && file.status === 'failed')
    return [{ name: path, state: 'failed', file: path, message: withoutColours(String(file.message ?? '')) }]
  return tests.map((test) => {
    const messages = Array.isArray(test.failureMessages) ? test.failureMessages.map(String) : []
    const message = withoutColours(messages.join('\n'))
    return {
      name: String(test.fullName ?? test.title ?? '').trim(),
      state: test.status === 'passed' ? 'passed' : test.status === 'failed' ? 'failed' : 'skipped',
      file: path,
      line: lineIn(message, path) ?? (isRecord(test.location) ? Number(test.location.line) : undefined),
      message,
    }
  })
}

/** Finds the line of a file in a stack trace: the first frame that is in the file. */
export function lineIn(message: string, file: string): number | undefined {
  const at = message.indexOf(`${file}:`)
  const [, line] = at < 0 ? [] : (/^:(\d+)/.exec(message.slice(at + file.length)) ?? [])
  return line === undefined ? undefined : Number(line)
}

/** Reads the events of `go test -json`. */
export function readGoReport(text: string): TestReport | undefined {
  const cases: TestCase[] = []
  const printed = new Map<string, string>()
  for (const line of text.split('\n')) {
    const event = line.startsWith('{') ? parse(line) : undefined
    if (!isRecord(event)) continue
    const { Action: action, Package: folder = '', Test: test, Output: output } = event
    const key = `${String(folder)} ${String(test ?? '')}`
    if (action === 'output') printed.set(key, `${printed.get(key) ?? ''}${String(output)}`)
    const state = GO_STATES[String(action)]
    if (state === undefined) continue
    const message = printed.get(key) ?? ''
    // A package that does not compile has no tests of its own.
    if (test === undefined) {
      if (
        state === 'failed' &&
        !cases.some((one) => one.name.startsWith(`${String(folder)}.`) && one.state === 'failed')
      )
        cases.push({ name: String(folder), state, message })
      continue
    }
    const [, file, at] = /^\s*([\w./-]+\.go):(\d+):/m.exec(message) ?? []
    cases.push({
      name: `${String(folder)}.${String(test)}`,
      state,
      file,
      line: at === undefined ? undefined : Number(at),
      message,
    })
  }
  return countTests(cases)
}

const GO_STATES: Readonly<Record<string, TestCase['state']>> = { pass: 'passed', fail: 'failed', skip: 'skipped' }

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // What is cut off or not JSON holds no report.
    return undefined
  }
}

/** Shows a path of the workspace relative to it. */
export function relativeTo(root: string, path: string): string {
  const plain = path.replace(/^file:\/\//, '')
  return plain.startsWith(`${root}/`) ? plain.slice(root.length + 1) : plain
}

/** Removes the colours of a terminal. */
export function withoutColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one.
  return text.replace(/\u001b\[[\d;]*m/g, '')
}
