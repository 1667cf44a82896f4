import { Argument, type Command } from 'commander'
import type { Host } from '../app/host.ts'
import type { TaskRecord, TaskReport } from '../core/call/task.ts'
import { findTask } from './output/find-id.ts'
import { reportProblem } from './output/report-problem.ts'
import { settleTask } from './settle-task.ts'
import { type Cli, type CommonOptions, EXIT, paint, paintError } from './terminal/front-end.ts'
import { relativeTime } from './terminal/relative-time.ts'
import { type Cell, tableLines } from './terminal/table.ts'
import { withLog } from './with-log.ts'

const ACTIONS = ['cancel', 'apply', 'discard'] as const
type Action = (typeof ACTIONS)[number]

/** How long to wait for a cancelled task to end, in seconds. */
const CANCEL_WAIT = 5

/** Adds `haft tasks`: lists, shows and cancels background tasks of every process that uses this HAFT_HOME. */
export function addTasks(program: Command, cli: Cli, exit: (code: number) => void): void {
  program
    .command('tasks')
    .description('List background tasks, show one, cancel one, or decide about changes that it could not apply')
    .argument('[id]', 'id of the task to show, or its start')
    .addArgument(new Argument('[action]', 'cancel the task, apply or discard its changes').choices(ACTIONS))
    .argument('[paths...]', 'with apply: only these paths, also where they conflict')
    .option('--json', 'print JSON only')
    .action(async (id: string | undefined, action: Action | undefined, paths: string[], options: CommonOptions) => {
      const work = async (host: Host) => {
        if (id === undefined) return list(cli, await host.tasks.list(), options)
        if (action === undefined || action === 'cancel') return showOne(cli, host, { id, action, options })
        return settleTask(cli, host, { id, action, paths, options })
      }
      exit(await withLog(cli, { ...options, work }))
    })
}

function list(cli: Cli, tasks: readonly TaskRecord[], { json }: CommonOptions): number {
  if (json) cli.writeJson({ tasks })
  else if (tasks.length === 0) cli.print(paint('dim', 'No background tasks yet.'))
  else for (const line of tableLines(tasks.map(cellsOf), { last: 'cut' })) cli.print(line)
  return EXIT.ok
}

function cellsOf({ task, tool, arguments: args, state, outcome, startedAt }: TaskRecord): Cell[] {
  return [
    { style: 'bold', text: task },
    { style: STYLES[outcome ?? state] ?? 'red', text: outcome ?? state },
    { style: 'dim', text: relativeTime(new Date(startedAt).toISOString(), Date.now()), isRight: true },
    { style: 'reset', text: `${tool} ${args}` },
  ]
}

const STYLES: Readonly<Record<string, 'green' | 'cyan' | 'yellow' | 'dim'>> = {
  ok: 'green',
  running: 'cyan',
  queued: 'dim',
  waiting: 'yellow',
}

interface Asked {
  readonly id: string
  readonly action: 'cancel' | undefined
  readonly options: CommonOptions
}

async function showOne(cli: Cli, { tasks, log }: Host, { id: given, action, options }: Asked): Promise<number> {
  const found = await findTask(log, given)
  if ('problem' in found) return reportProblem(cli, options, found.problem)
  const { id } = found
  const known = await tasks.read(id)
  if (known === undefined)
    return reportProblem(cli, options, { code: 'FILE_NOT_FOUND', text: `The task ${id} no longer exists.` })
  const isCancelled = action === 'cancel' && (await tasks.cancel(id))
  if (isCancelled) await tasks.wait(id, { seconds: CANCEL_WAIT })
  const report = (await tasks.read(id)) ?? known
  if (options.json) cli.writeJson(report)
  else show(cli, report)
  if (action !== 'cancel' || isCancelled) return EXIT.ok
  cli.printError(paintError('red', `The task has already ended: ${known.outcome}`))
  return EXIT.failed
}

function show(cli: Cli, report: TaskReport): void {
  const { output, result } = report
  for (const line of tableLines([cellsOf(report)], { last: 'wrap' })) cli.print(line)
  if (result) cli.print(paint('reset', result.text))
  else if (output !== '') cli.print(paint('reset', output.trimEnd()))
}
