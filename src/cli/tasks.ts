import { Argument, type Command } from 'commander'
import type { Host } from '../app/host.ts'
import type { TaskRecord, TaskReport } from '../core/call/task.ts'
import { findTask } from './output/find-id.ts'
import { refuse } from './output/report-problem.ts'
import { type Cli, type CommonOptions, EXIT, paint, paintError } from './terminal/front-end.ts'
import { relativeTime } from './terminal/relative-time.ts'
import { type Cell, tableLines } from './terminal/table.ts'
import { withLog } from './with-log.ts'

/** How long the end of a cancelled task is waited for, in seconds. */
const PATIENCE = 5

/** `haft tasks`: calls in the background, of every process that keeps its log here. */
export function addTasks(program: Command, cli: Cli, exit: (code: number) => void): void {
  program
    .command('tasks')
    .description('what runs in the background; show or cancel one')
    .argument('[id]', 'show this task: where it stands, what it printed, how it ended; the start of its id will do')
    .addArgument(new Argument('[action]', 'what to do with it').choices(['cancel']))
    .option('--json', 'print JSON and nothing else')
    .action(async (id: string | undefined, action: 'cancel' | undefined, options: CommonOptions) => {
      const work = async (host: Host) =>
        id === undefined ? list(cli, await host.tasks.list(), options) : showOne(cli, host, { id, action, options })
      exit(await withLog(cli, { ...options, work }))
    })
}

function list(cli: Cli, tasks: readonly TaskRecord[], { json }: CommonOptions): number {
  if (json) cli.write(`${JSON.stringify({ tasks })}\n`)
  else if (tasks.length === 0) cli.say(paint('dim', 'nothing was run in the background yet'))
  else for (const line of tableLines(tasks.map(cellsOf), { last: 'cut' })) cli.say(line)
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
  if ('problem' in found) return refuse(cli, options, found.problem)
  const { id } = found
  const known = await tasks.read(id)
  if (known === undefined) return refuse(cli, options, { code: 'FILE_NOT_FOUND', text: `The task ${id} has gone.` })
  const isCancelled = action === 'cancel' && (await tasks.cancel(id))
  if (isCancelled) await tasks.wait(id, { seconds: PATIENCE })
  const report = (await tasks.read(id)) ?? known
  if (options.json) cli.write(`${JSON.stringify(report)}\n`)
  else show(cli, report)
  if (action !== 'cancel' || isCancelled) return EXIT.ok
  cli.tell(paintError('red', `the task has ended already: ${known.outcome}`))
  return EXIT.failed
}

function show(cli: Cli, report: TaskReport): void {
  const { output, result } = report
  for (const line of tableLines([cellsOf(report)], { last: 'wrap' })) cli.say(line)
  if (result) cli.say(paint('reset', result.text))
  else if (output !== '') cli.say(paint('reset', output.trimEnd()))
}
