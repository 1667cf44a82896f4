import { lineIn, relativeTo, withoutColours } from './read-json.ts'
import { countTests, type RunnerOutput, type TestCase, type TestReport } from './test-report.ts'

/** Reads the output of `cargo test`. */
export function readCargoOutput({ stdout }: RunnerOutput): TestReport | undefined {
  const cases = [...stdout.matchAll(/^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)/gm)].map(
    ([, name = '', state]): TestCase => {
      if (state !== 'FAILED') return { name, state: state === 'ok' ? 'passed' : 'skipped' }
      const start = stdout.indexOf(`---- ${name} stdout ----`)
      const message = start < 0 ? '' : (stdout.slice(start).split(/\n\n(?=----|failures:)/)[0] ?? '')
      const [, file, line] = /panicked at (?:'[\s\S]*?', )?([^\s:']+\.rs):(\d+)/.exec(message) ?? []
      return {
        name,
        state: 'failed',
        file,
        line: line === undefined ? undefined : Number(line),
        message: message.replace(/^----.*\n/, ''),
      }
    },
  )
  return countTests(cases)
}

/** Reads the output of `python3 -m unittest -v`, which goes to stderr. */
export function readUnittestOutput({ stderr }: RunnerOutput, root: string): TestReport | undefined {
  const blocks = new Map(
    [
      ...stderr.matchAll(/^={70}\n(?:FAIL|ERROR): (\S+)(?: \((\S+?)\))?[^\n]*\n([\s\S]*?)(?=^={70}$|^-{70}\nRan )/gm),
    ].map(
      ([, name = '', place = '', text = '']) => [`${name} ${place}`, text.replace(/^[\s\S]*?-{70}\n/, '')] as const,
    ),
  )
  const listed = [
    ...stderr.matchAll(
      /^(\w+) \((\S+?)\)[\s\S]*? \.\.\. (ok|FAIL|ERROR|skipped|expected failure|unexpected success)/gm,
    ),
  ]
  const cases = listed.map(([, name = '', place = '', state]): TestCase => {
    // Since Python 3.11 the place ends with the name of the test.
    const full = place.endsWith(`.${name}`) ? place : `${place}.${name}`
    if (state === 'ok' || state === 'expected failure') return { name: full, state: 'passed' }
    if (state === 'skipped') return { name: full, state: 'skipped' }
    const message = blocks.get(`${name} ${place}`) ?? ''
    const [, path, line] =
      [...message.matchAll(/File "([^"]+)", line (\d+)/g)].findLast(([, at = '']) => at.startsWith(root)) ?? []
    return {
      ...{ name: full, state: 'failed', message },
      file: path === undefined ? undefined : relativeTo(root, path),
      line: line === undefined ? undefined : Number(line),
    }
  })
  return countTests(cases)
}

/** Reads what most runners print: TAP, or a summary such as `3 passing`, `1 failed, 2 passed`. */
export function readAnyOutput({ stdout, stderr }: RunnerOutput, root: string): TestReport | undefined {
  const text = withoutColours(`${stdout}\n${stderr}`)
  return readTap(text, root) ?? readSummary(text)
}

function readTap(text: string, root: string): TestReport | undefined {
  const cases = [...text.matchAll(/^(not )?ok \d+(?: -)? ?(.*?)(?: # (skip|todo)\b.*)?$((?:\n {2,}.*)*)/gim)].map(
    ([, not, name = '', mark, details = '']): TestCase => {
      const [file] = new RegExp(`${root.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}/[^:\\s)]+`).exec(details) ?? []
      const path = file === undefined ? undefined : relativeTo(root, file)
      return {
        name,
        state: mark !== undefined ? 'skipped' : not === undefined ? 'passed' : 'failed',
        file: path,
        line: path === undefined ? undefined : lineIn(details, path),
        message: details,
      }
    },
  )
  return countTests(cases)
}

/** Reads the last numbers beside the words of a summary. */
function readSummary(text: string): TestReport | undefined {
  const count = (words: string): number | undefined => {
    const found = [...text.matchAll(new RegExp(`\\b(\\d+) (?:tests? )?(?:${words})\\b`, 'gi'))].at(-1)?.[1]
    return found === undefined ? undefined : Number(found)
  }
  const passed = count('passed|passing|pass|ok')
  const failed = count('failed|failing|failures?|fail')
  if (passed === undefined && failed === undefined) return undefined
  return { passed: passed ?? 0, failed: failed ?? 0, skipped: count('skipped|pending|ignored') ?? 0, failures: [] }
}
