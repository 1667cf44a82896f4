import { type Command, Option } from 'commander'
import type { Host } from '../app/host.ts'
import type { ErrorCode } from '../core/call/codes.ts'
import type { Result } from '../core/call/result.ts'
import { toCopilotResult, toJsonResult, toToolResult, toValueResult } from '../core/call/result-forms.ts'
import { callingOptionsOf } from './host-options.ts'
import { readArguments } from './output/arguments.ts'
import { answerLines } from './output/json-lines.ts'
import { sayResult } from './output/print-result.ts'
import { hasPerson } from './terminal/ask-line.ts'
import { type Cli, type CommonOptions, decisionOf, EXIT, paintError } from './terminal/front-end.ts'
import { listenForInterrupt } from './terminal/interrupt.ts'
import { followOutput, type LiveOutput } from './terminal/live-output.ts'
import { terminalApp } from './terminal/open-in-editor.ts'

interface CallCommandOptions extends CommonOptions {
  stdin?: boolean
  as?: keyof typeof FORMS
}

const FORMS = {
  value: toValueResult,
  copilot: toCopilotResult,
  'tool-result': toToolResult,
} as const

/** `haft call`: one call, or JSON lines of calls, through the corridor. */
export function addCall(program: Command, cli: Cli, exit: (code: number) => void): void {
  program
    .command('call')
    .description('run one tool call, or with --stdin a call a line')
    .argument('[tool]', 'the name of the tool')
    .argument('[arguments]', 'its arguments as JSON; - reads them from standard input')
    .option('--stdin', 'read calls as JSON lines {"id","name","arguments"} and answer with JSON lines')
    .option('--workspace <folder>', 'the folder calls work in')
    .option('-y, --yes', 'answer every question with yes; a deny stays a deny')
    .option('--wait', 'with nobody at this terminal, wait for an answer from another door (haft approvals)')
    .option('--json', 'print the result as JSON and nothing else')
    .addOption(new Option('--as <form>', 'print the result in another form').choices(Object.keys(FORMS)))
    .action(
      async (tool: string | undefined, given: string | undefined, options: CallCommandOptions, command: Command) => {
        if (!options.stdin && tool === undefined) command.error("error: missing argument 'tool' (or --stdin)")
        if (options.stdin && tool !== undefined) command.error('error: --stdin takes no tool: each line names its own')
        exit(options.stdin ? await callLines(cli, options) : await callOnce(cli, options, { tool: tool ?? '', given }))
      },
    )
}

async function callLines(cli: Cli, options: CallCommandOptions): Promise<number> {
  const host = await cli.createHost(callingOptionsOf(cli, options))
  const interrupt = listenForInterrupt()
  const session = `s_${crypto.randomUUID()}`
  interrupt.signal.addEventListener('abort', () => process.stdin.destroy(), { once: true })
  const { signal } = interrupt
  try {
    await answerLines(process.stdin, {
      signal,
      write: cli.write,
      async answer({ id, name, arguments: args }) {
        const result = await host.call(name, args, { ...decisionOf(options), session, signal })
        return options.as ? FORMS[options.as](result, String(id ?? '')) : toJsonResult(result)
      },
    })
    await Promise.race([host.tasks.idle(), interrupt.wished])
  } finally {
    await host.close()
    interrupt.stop()
  }
  return interrupt.exitCode() ?? EXIT.ok
}

async function callOnce(
  cli: Cli,
  options: CallCommandOptions,
  { tool, given }: { tool: string; given: string | undefined },
): Promise<number> {
  const args = await readArguments(given)
  const host = await cli.createHost(callingOptionsOf(cli, options))
  const live = options.json || options.as ? undefined : followOutput(host)
  if (options.wait && !options.yes && !hasPerson()) tellOfQuestions(cli, host)
  const interrupt = listenForInterrupt()
  const app = terminalApp()
  if (app) host.onDelegate(app)
  try {
    const result = await host.call(tool, args, { ...decisionOf(options), signal: interrupt.signal })
    if (live?.tasks().length === 0) live.stop()
    else live?.makeRoom()
    show(cli, options, live?.leftOf(result, live.call) ?? result)
    await Promise.race([host.tasks.idle(), interrupt.wished])
    if (live) await showTasks(cli, host, live)
    return interrupt.exitCode() ?? exitCodeOf(result)
  } finally {
    await host.close()
    live?.stop()
    interrupt.stop()
  }
}

function tellOfQuestions(cli: Cli, host: Host): void {
  host.on((event) => {
    if (event.type === 'approval-request')
      cli.tell(paintError('yellow', `${event.tool} waits for an answer: haft approvals ${event.approval} yes|no|edit`))
  })
}

/** The results of the tasks that this process has stayed for. */
async function showTasks(cli: Cli, { tasks }: Host, live: LiveOutput): Promise<void> {
  live.stop()
  for (const id of live.tasks()) {
    const result = (await tasks.read(id))?.result
    if (result) sayResult(cli, live.leftOf(result, id))
  }
}

function show(cli: Cli, options: CallCommandOptions, result: Result): void {
  if (options.as) cli.write(`${JSON.stringify(FORMS[options.as](result, ''))}\n`)
  else if (options.json) cli.write(`${JSON.stringify({ id: null, ...toJsonResult(result) })}\n`)
  else sayResult(cli, result)
}

const REFUSALS: readonly ErrorCode[] = ['BLOCKED', 'DENIED']

/** How a call's result ends the process. */
export function exitCodeOf(result: Result): number {
  if (result.ok) return EXIT.ok
  return REFUSALS.includes(result.code) ? EXIT.refused : EXIT.failed
}
