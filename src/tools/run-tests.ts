import { answer, ToolError } from '../core/call/result.ts'
import { answerRun } from '../core/call/run-answer.ts'
import type { ReadFiles } from '../core/ports/files.ts'
import { array, integer, number, objectSchema, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'
import { reads } from '../core/tool/touch.ts'
import { foldersAbove, openProject, type Project } from './project/project-files.ts'
import { RUN_SCRIPT } from './test-runners/run-script.ts'
import { RUNNERS, type TestRunner } from './test-runners/runners.ts'
import type { TestReport } from './test-runners/test-report.ts'

const SECONDS = 300
const NO_NUL = '^[^\\0]*$'

export default defineTool({
  name: 'run_tests',
  description: "Run the project's tests and return counts and failures. Finds the runner itself.",
  input: objectSchema({
    path: optional(string('Test file or folder, default the whole project', { minLength: 1, pattern: NO_NUL })),
    filter: optional(
      string('Only tests whose name has this text', { minLength: 1, maxLength: 1_000, pattern: NO_NUL }),
    ),
    timeout: optional(number(`Seconds, default ${SECONDS}`, { minimum: 1, maximum: 600 })),
  }),
  output: objectSchema({
    passed: integer('Tests that passed', { minimum: 0 }),
    failed: integer('Tests that failed', { minimum: 0 }),
    skipped: integer('Tests that were skipped', { minimum: 0 }),
    failures: array(
      objectSchema({
        name: string('The test'),
        file: optional(string('Its file')),
        line: optional(integer('Where it failed')),
        message: string('Why'),
      }),
      'Failed tests, at most 100',
    ),
    command: string('What was run'),
    exitCode: integer('0 if all is well'),
    duration: number('Milliseconds'),
  }),
  effect: 'run',
  approval: false,
  main: 'path',
  timeout: ({ timeout }) => timeout ?? SECONDS,
  touches: ({ path = '.' }) => [reads(path)],
  prepare({ path, filter }, { files }) {
    const found = findRunner(files, path)
    return { preview: { kind: 'command', text: shown(commandOf(found, path, filter)) } }
  },
  async execute({ path, filter }, { run, delta, files, workspace }) {
    const found = findRunner(files, path)
    const command = commandOf(found, path, filter)
    const mark = `haft-${crypto.randomUUID()}`
    const output = printUntil(mark, delta)
    const report = await run({
      argv: ['bash', '-c', RUN_SCRIPT, 'run', mark, (found.runner.reports ?? []).join(':'), ...command],
      cwd: found.project.folder,
      env: {
        CI: '1',
        FORCE_COLOR: '0',
        NO_COLOR: '1',
        PYTHONDONTWRITEBYTECODE: '1',
        CARGO_TERM_COLOR: 'never',
        GOTOOLCHAIN: 'local',
      },
      output: (_, text) => output(text),
    })
    if (report.ended !== 'exit') answerRun(report)
    const [stdout = '', written = ''] = report.stdout.split(mark)
    const printed = { stdout, stderr: report.stderr, report: written }
    const { folder } = found.project
    const root = folder === '.' ? workspace : `${workspace}/${folder}`
    const counted =
      found.runner.read(printed, root) ?? byExitCode(report.exitCode, `${stdout}\n${report.stderr}`, command)
    const duration = Math.round(report.duration)
    const data = { ...inWorkspace(counted, folder), command: shown(command), exitCode: report.exitCode, duration }
    return answer(describe(data, `${stdout}\n${report.stderr}`), data)
  },
})

interface Found {
  readonly runner: TestRunner
  readonly project: Project
}

/** Finds the nearest project above a path that has tests. Throws ToolError if there is none. */
function findRunner(files: ReadFiles, path = '.'): Found {
  for (const folder of foldersAbove(path)) {
    const project = openProject(files, folder)
    const runner = RUNNERS.find((one) => one.fits(project))
    if (runner) return { runner, project }
  }
  throw new ToolError(
    'FILE_NOT_FOUND',
    `No tests were found in ${path} or above: expected a package.json with a test script, vitest, jest, test files of node, pytest or unittest, go.mod, Cargo.toml, pom.xml, build.gradle, or a Makefile with a test target.`,
  )
}

function commandOf(
  { runner, project }: Found,
  path: string | undefined,
  filter: string | undefined,
): readonly string[] {
  const plain = path?.replace(/^(\.\/)+|\/+$/g, '')
  const below =
    plain === undefined || plain === project.folder || plain === '.'
      ? undefined
      : project.folder === '.'
        ? plain
        : plain.slice(project.folder.length + 1)
  return runner.command(project, { path: below && /^-/.test(below) ? `./${below}` : below, filter })
}

/** The command without the options that only write a report. */
function shown(command: readonly string[]): string {
  return command
    .filter((word) => !/@report|^--(test-)?reporter|junit_family/.test(word))
    .map((word) => (/^[\w@%+=:,./*{}-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ')
}

/** Streams output up to the line that separates it from the report. */
function printUntil(mark: string, delta: (text: string) => void): (text: string) => void {
  let held = ''
  let isOver = false
  return (text) => {
    if (isOver) return
    held += text
    const end = held.indexOf(mark)
    isOver = end >= 0
    const safe = isOver ? end : held.length - mark.length
    if (safe <= 0) return
    delta(held.slice(0, safe))
    held = held.slice(safe)
  }
}

/** Where a runner says nothing of single tests, the command is the one test. */
function byExitCode(exitCode: number, text: string, command: readonly string[]): TestReport {
  const counts = { passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1, skipped: 0 }
  const failures = exitCode === 0 ? [] : [{ name: shown(command), message: text.trim().slice(-2_000) }]
  return { ...counts, failures }
}

function inWorkspace(report: TestReport, folder: string): TestReport {
  if (folder === '.') return report
  const failures = report.failures.map((one) =>
    one.file === undefined ? one : { ...one, file: `${folder}/${one.file}` },
  )
  return { ...report, failures }
}

function describe(
  {
    passed,
    failed,
    skipped,
    failures,
    command,
    exitCode,
    duration,
  }: TestReport & { command: string; exitCode: number; duration: number },
  output: string,
): string {
  const head = `${passed} passed, ${failed} failed, ${skipped} skipped in ${(duration / 1000).toFixed(1)} s (${command})`
  const listed = failures.map(({ name, file, line, message }) => {
    const place = file === undefined ? '' : ` (${file}${line === undefined ? '' : `:${line}`})`
    return `FAILED ${name}${place}\n${message.replace(/^/gm, '  ')}`
  })
  const isUnclear = exitCode !== 0 && failures.length === 0
  return [head, ...listed, ...(isUnclear ? [`[exit code ${exitCode}]`, output.trim().slice(-4_000)] : [])].join('\n\n')
}
