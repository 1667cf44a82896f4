import { type Command, Option } from 'commander'
import type { Host } from '../app/host.ts'
import type { ErrorCode } from '../core/call/codes.ts'
import type { Result } from '../core/call/result.ts'
import { toCopilotResult, toJsonResult, toToolResult, toValueResult } from '../core/call/result-forms.ts'
import { addExamples, type Example } from './help.ts'
import { callingOptionsOf } from './host-options.ts'
import { ARGUMENTS_HELP, explainArguments, readArguments } from './output/arguments.ts'
import { answerLines } from './output/json-lines.ts'
import { printResult } from './output/print-result.ts'
import { wrapFor } from './output/report-problem.ts'
import { exitCodeOfPlans, followPlans, plansLines } from './plan/wait-for-plans.ts'
import { hasPerson } from './terminal/ask-line.ts'
import { type Cli, type CommonOptions, decisionOf, EXIT, modeOption, paintError } from './terminal/front-end.ts'
import { listenForInterrupt } from './terminal/interrupt.ts'
import { followOutput, type LiveOutput } from './terminal/live-output.ts'
import { terminalApp } from './terminal/open-in-editor.ts'

interface CallCommandOptions extends CommonOptions {
  stdin?: boolean
  unordered?: boolean
  as?: keyof typeof FORMS
}

const FORMS = {
  value: toValueResult,
  copilot: toCopilotResult,
  'tool-result': toToolResult,
} as const

const EXAMPLES: readonly Example[] = [
  [`haft call read_file '{"path":"README.md"}'`, 'run one call'],
  ['haft call edit_file @arguments.json', 'read the arguments from a file'],
  [`haft call shell '{"command":"npm test"}' --json`, 'print the result as JSON'],
  ['haft call --stdin --wait < calls.jsonl', 'run many calls in one session'],
]

/** Adds `haft call`: runs one call, or one call per line of stdin, through the pipeline. */
export function addCall(program: Command, cli: Cli, exit: (code: number) => void): void {
  const command = program
    .command('call')
    .description('Run a tool call')
    .argument('[tool]', 'name of the tool')
    .argument('[arguments]', 'arguments as JSON; @FILE reads them from a file, - from stdin')
    .option(
      '--stdin',
      'read calls as JSON lines {"id","name","arguments"}, print results as JSON lines in the same order',
    )
    .option('--unordered', 'with --stdin: print each result as soon as it is there')
    .option('--workspace <folder>', 'folder to work in (default: HAFT_WORKSPACE, else the current folder)')
    .option('-y, --yes', 'approve every request; calls that a rule denies stay blocked')
    .option('--wait', 'if no person is at this terminal, wait for an answer from elsewhere (haft approvals)')
    .addOption(modeOption())
    .option('--json', 'print the result as JSON only')
    .addOption(new Option('--as <form>', 'print the result in another JSON form').choices(Object.keys(FORMS)))
    .showHelpAfterError(ARGUMENTS_HELP)
    .action(
      async (tool: string | undefined, given: string | undefined, options: CallCommandOptions, command: Command) => {
        if (!options.stdin && tool === undefined) command.error("error: missing argument 'tool' (or --stdin)")
        if (options.stdin && tool !== undefined) command.error('error: --stdin takes no tool; each line names its own')
        exit(options.stdin ? await callLines(cli, options) : await callOnce(cli, options, { tool: tool ?? '', given }))
      },
    )
  addExamples(command, EXAMPLES)
}

async function callLines(cli: Cli, options: CallCommandOptions): Promise<number> {
  const host = await cli.createHost({ ...callingOptionsOf(cli, options), toolFolders: 'later' })
  const plans = followPlans(host)
  const interrupt = listenForInterrupt()
  const session = `s_${crypto.randomUUID()}`
  interrupt.signal.addEventListener('abort', () => process.stdin.destroy(), { once: true })
  const { signal } = interrupt
  try {
    await answerLines(process.stdin, {
      ...{ signal, unordered: options.unordered ?? false, write: cli.writeJson },
      async answer({ id, name, arguments: args }) {
        const result = await host.call(name, args, { ...decisionOf(options), session, signal })
        return options.as ? FORMS[options.as](result, String(id ?? '')) : toJsonResult(result)
      },
    })
    await Promise.race([host.tasks.idle(), interrupt.requested])
    await plans.rest(interrupt)
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
  const host = await cli.createHost({ ...callingOptionsOf(cli, options), toolFolders: 'later' })
  const plans = followPlans(host)
  // Calls of built-in tools do not wait for files.
  const isOwn = host.registry.snapshot().find(tool)?.origin !== 'built-in'
  const live = options.json || options.as ? undefined : followOutput(host, isOwn)
  if (options.wait && !options.yes && !hasPerson()) reportRequests(cli, host)
  const interrupt = listenForInterrupt()
  const app = terminalApp(cli.programs)
  if (app) host.onDelegate(app)
  try {
    await host.prepareTool(tool)
    const result = await host.call(tool, args, { ...decisionOf(options), signal: interrupt.signal })
    if (live?.tasks().length === 0) live.stop()
    else live?.endLine()
    live?.showPrinted(result, live.call)
    show(cli, options, live?.leftOf(result, live.call) ?? result)
    if (live && !result.ok && result.code === 'INVALID_ARGUMENTS') explainArguments(cli, given)
    await Promise.race([host.tasks.idle(), interrupt.requested])
    if (live) await showTasks(cli, host, live)
    const rested = await plans.rest(interrupt)
    if (live) for (const line of plansLines(rested)) cli.print(line)
    return interrupt.exitCode() ?? (result.ok ? exitCodeOfPlans(rested) : exitCodeOf(result))
  } finally {
    await host.close()
    live?.stop()
    interrupt.stop()
  }
}

function reportRequests(cli: Cli, host: Host): void {
  host.on((event) => {
    if (event.type !== 'approval-request') return
    const text = `${event.tool} waits for approval. Answer with: haft approvals ${event.approval} yes|no|edit`
    cli.printError(paintError('yellow', wrapFor(process.stderr, text).join('\n')))
  })
}

/** Prints the results of the background tasks that this process waited for. */
async function showTasks(cli: Cli, { tasks }: Host, live: LiveOutput): Promise<void> {
  live.stop()
  for (const id of live.tasks()) {
    const result = (await tasks.read(id))?.result
    if (!result) continue
    live.showPrinted(result, id)
    printResult(cli, live.leftOf(result, id))
  }
}

function show(cli: Cli, options: CallCommandOptions, result: Result): void {
  if (options.as) cli.writeJson(FORMS[options.as](result, ''))
  else if (options.json) cli.writeJson({ id: null, ...toJsonResult(result) })
  else printResult(cli, result)
}

const REFUSALS: readonly ErrorCode[] = ['BLOCKED', 'DENIED']

/** Returns the exit code for a result. */
export function exitCodeOf(result: Result): number {
  if (result.ok) return EXIT.ok
  return REFUSALS.includes(result.code) ? EXIT.refused : EXIT.failed
}
