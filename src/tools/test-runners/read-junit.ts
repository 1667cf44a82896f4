import { lineIn, relativeTo } from './read-json.ts'
import { countTests, type TestCase, type TestReport } from './test-report.ts'

/** Reads reports in the format of JUnit, which many runners write: one `testcase` element for each test. */
export function readJunitReport(text: string, root: string): TestReport | undefined {
  const cases: TestCase[] = []
  for (const [, attributes = '', , content = ''] of text.matchAll(
    /<testcase\b((?:[^>"']|"[^"]*"|'[^']*')*?)(\/>|>([\s\S]*?)<\/testcase>)/g,
  ))
    cases.push(readCase(attributes, content, root))
  return countTests(cases)
}

function readCase(attributes: string, content: string, root: string): TestCase {
  const group = attributeOf(attributes, 'classname')
  const own = attributeOf(attributes, 'name') ?? ''
  const failure = /<(failure|error)\b((?:[^>"']|"[^"]*"|'[^']*')*?)(?:\/>|>([\s\S]*?)<\/\1>)/.exec(content)
  const details = decode(failure?.[3] ?? '').trim()
  const short = attributeOf(failure?.[2] ?? '', 'message') ?? ''
  const message = details.includes(short) ? details : `${short}\n${details}`
  const given = attributeOf(attributes, 'file')
  const file = given === undefined ? fileIn(details, root) : relativeTo(root, given)
  const line = file === undefined ? undefined : (lineIn(details, file) ?? lineOf(attributes))
  return {
    name: group === undefined || group === 'test' ? own : `${group} ${own}`,
    state: failure ? 'failed' : /<skipped\b/.test(content) ? 'skipped' : 'passed',
    file,
    line,
    message,
  }
}

/** Python counts the lines of a test from 0 here. */
function lineOf(attributes: string): number | undefined {
  const given = attributeOf(attributes, 'line')
  return given === undefined ? undefined : Number(given) + 1
}

/** The first file of the workspace that a stack trace names. */
function fileIn(details: string, root: string): string | undefined {
  const at = details.indexOf(`${root}/`)
  return at < 0 ? undefined : /^[^:\s)]+/.exec(details.slice(at + root.length + 1))?.[0]
}

function attributeOf(attributes: string, name: string): string | undefined {
  const [, double, single] = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes) ?? []
  const value = double ?? single
  return value === undefined ? undefined : decode(value)
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

function decode(text: string): string {
  const [, plain] = /^\s*<!\[CDATA\[([\s\S]*?)\]\]>\s*$/.exec(text) ?? []
  if (plain !== undefined) return plain
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(lt|gt|quot|apos|amp));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? all
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : all
  })
}
