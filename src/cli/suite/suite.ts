import { writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Command } from 'commander'
import type { Home } from '../../app/home.ts'
import type { Suite, SuiteTask, TaskReport } from '../../app/suite/suite.ts'
import { messageOf, reasonOf } from '../../core/call/result.ts'
import { nearest } from '../../core/text/nearest.ts'
import { addExamples, type Example } from '../help.ts'
import { hostOptionsOf } from '../host-options.ts'
import { wrapFor } from '../output/report-problem.ts'
import { type Cli, type CommonOptions, EXIT, modeOption, paintError } from '../terminal/front-end.ts'
import { type Interrupt, listenForInterrupt } from '../terminal/interrupt.ts'
import { compareLines } from './compare-lines.ts'
import { suiteMarkdown } from './suite-report.ts'
import { describeSuite, layOutRows, listTasks, sumReports } from './suite-rows.ts'
import { createSuiteView } from './suite-view.ts'

interface SuiteOptions extends CommonOptions {
  model?: string
  compare?: string
  only?: string
  report?: string
  record?: string
  keep?: boolean
  list?: boolean
}

const EXAMPLES: readonly Example[] = [
  ['haft suite', 'run the tasks that come with Haft'],
  ['haft suite my-tasks.yaml --report report.md', 'run your own, and write a report'],
  ['haft suite --compare ollama:qwen3:8b,ollama:llama3.1', 'run two models side by side'],
  ['haft suite --only sql,parser --record recorded', 'record replies; --model replay:recorded replays'],
]

/** Adds `haft suite`: runs tasks against a model and verifies each. */
export function addSuite(program: Command, cli: Cli, exit: (code: number) => void): void {
  const command = program
    .command('suite')
    .description('Run tasks against a model and verify what it did')
    .argument('[file]', 'YAML file of tasks (default: the 18 tasks that come with Haft)')
    .option('--model <model>', 'model to use (default: as haft run)')
    .option('--compare <models>', 'two or more models, separated by commas: each task with each of them')
    .option('--only <tasks>', 'only these tasks, separated by commas')
    .addOption(modeOption())
    .option('-y, --yes', 'approve every request; without it what asks is denied')
    .option('--report <file>', 'also write a report in Markdown')
    .option('--record <folder>', 'record the replies of each task; --model replay:FOLDER replays them')
    .option('--keep', 'keep the workspaces of the tasks')
    .option('--list', 'list the tasks and run nothing')
    .option('--json', 'print JSON only')
    .action(async (file: string | undefined, options: SuiteOptions, command: Command) => {
      if (options.model !== undefined && options.compare !== undefined)
        command.error('error: --model and --compare cannot be combined')
      exit(await suite(cli, options, { path: file ?? cli.suitePath(), command }))
    })
  addExamples(command, EXAMPLES)
}

interface Given {
  readonly path: string
  readonly command: Command
}

async function suite(cli: Cli, options: SuiteOptions, { path, command }: Given): Promise<number> {
  let read: Suite
  try {
    read = await cli.readSuite(path)
  } catch (thrown) {
    return command.error(wrapFor(process.stderr, `error: ${messageOf(thrown)}`).join('\n'))
  }
  const tasks = selectTasks(read.tasks, options, command)
  if (options.list) {
    if (options.json) cli.writeJson({ tasks })
    else for (const line of listTasks(tasks)) cli.print(line)
    return EXIT.ok
  }
  const { workspace: _, ...given } = hostOptionsOf(cli, {})
  const openHome = () => cli.openHome(given)
  const interrupt = listenForInterrupt()
  try {
    const models = await modelsOf(cli, options, openHome)
    return await run(cli, options, { suite: path, tasks, models, openHome, interrupt })
  } catch (thrown) {
    cli.printError(paintError('red', wrapFor(process.stderr, messageOf(thrown)).join('\n')))
    return interrupt.exitCode() ?? EXIT.failed
  } finally {
    interrupt.stop()
  }
}

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

function selectTasks(all: readonly SuiteTask[], { only }: SuiteOptions, command: Command): readonly SuiteTask[] {
  if (only === undefined) return all
  const names = listOf(only)
  const known = all.map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const near = nearest(unknown, known)
    const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `there are: ${known.join(', ')}`
    command.error(`error: --only: there is no task '${unknown}'; ${hint}`)
  }
  if (names.length === 0) command.error('error: --only: expected names of tasks')
  return all.filter(({ name }) => names.includes(name))
}

/** The models to run: those to compare, the one that is named, else the one that `haft run` would use. */
async function modelsOf(cli: Cli, options: SuiteOptions, openHome: () => Promise<Home>): Promise<readonly string[]> {
  const named = options.compare === undefined ? undefined : [...new Set(listOf(options.compare))]
  if (named && named.length < 2) throw new Error('--compare: expected two or more different models')
  if (named) return named
  if (options.model !== undefined) return [options.model]
  const home = await openHome()
  try {
    const { name, note } = await home.models.choose()
    if (note !== undefined && !options.json)
      cli.printError(paintError('yellow', wrapFor(process.stderr, note).join('\n')))
    return [name]
  } finally {
    await home.close()
  }
}

interface RunParts {
  readonly suite: string
  readonly tasks: readonly SuiteTask[]
  readonly models: readonly string[]
  readonly openHome: () => Promise<Home>
  readonly interrupt: Interrupt
}

async function run(cli: Cli, options: SuiteOptions, parts: RunParts): Promise<number> {
  const { tasks, models, interrupt } = parts
  const { mode, yes, record, keep } = options
  const rows = layOutRows(tasks, models)
  const show = (lines: readonly string[]): void => {
    if (!options.json) for (const line of lines) cli.print(line)
  }
  const view = createSuiteView(tasks.length * models.length)
  show([...describeSuite(tasks.length, models), ...rows.head()])
  const reports = await cli.runSuite({ tasks }, parts.openHome, {
    ...{ models, signal: interrupt.signal, onEvent: view.add, onStart: view.start },
    ...{ ...(mode && { mode }), ...(yes && { yes }), ...(record !== undefined && { record }), ...(keep && { keep }) },
    onEnd(report) {
      view.stop()
      show(rows.row(report))
    },
  })
  view.stop()
  if (options.json) cli.writeJson(toJson(reports, parts))
  else if (models.length === 1) show(rows.total(sumReports(reports)))
  else show(['', ...compareLines(reports, models)])
  const written = options.report === undefined || writeReport(cli, options.report, { reports, ...parts })
  return interrupt.exitCode() ?? (written && isPassed(reports) ? EXIT.ok : EXIT.failed)
}

/** True where something was run, and everything that was run passed. */
function isPassed(reports: readonly TaskReport[]): boolean {
  const { passed, failed } = sumReports(reports)
  return passed > 0 && failed === 0
}

function toJson(reports: readonly TaskReport[], { suite, models }: RunParts): object {
  return {
    suite,
    models: models.map((model) => {
      const own = reports.filter((report) => report.model === model)
      return { model, tasks: own.map(({ model: _, ...report }) => report), total: sumReports(own) }
    }),
  }
}

function writeReport(
  cli: Cli,
  file: string,
  { suite, models, reports }: RunParts & { reports: readonly TaskReport[] },
) {
  try {
    writeFileSync(file, suiteMarkdown({ suite: `Suite ${basename(suite)}`, models, reports, at: new Date() }))
    return true
  } catch (thrown) {
    const rows = wrapFor(process.stderr, `The report could not be written: ${reasonOf(thrown)}`)
    cli.printError(paintError('red', rows.join('\n')))
    return false
  }
}
