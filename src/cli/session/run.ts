import { type Command, Option } from 'commander'
import type { Home } from '../../app/home.ts'
import type { Session } from '../../app/sessions/session.ts'
import { messageOf } from '../../core/call/result.ts'
import type { Mode } from '../../core/session/mode.ts'
import { printable } from '../../core/text/printable.ts'
import { describeFileProblem } from '../../core/tool/describe-file-problem.ts'
import { addExamples, type Example } from '../help.ts'
import { callingOptionsOf } from '../host-options.ts'
import { wrapFor } from '../output/report-problem.ts'
import { openSession } from '../run/open-session.ts'
import { attachFiles, joinPrompt, type Prompt, readPiped } from '../run/read-prompt.ts'
import type { RunEnd } from '../run/show-end.ts'
import { showRun, warn } from '../run/show-run.ts'
import { type Cli, type CommonOptions, EXIT, paintError, workspaceOf } from '../terminal/front-end.ts'
import { type Interrupt, listenForInterrupt } from '../terminal/interrupt.ts'

interface RunOptions extends CommonOptions {
  model?: string
  tools?: string
  only?: true
  mode?: Mode
  maxSteps?: string
  /** An id, or true for the last session of the workspace. */
  continue?: string | true
  quiet?: boolean
  strict?: boolean
  record?: string
  printPrompt?: boolean
}

const MODES: readonly Mode[] = ['plan', 'ask', 'review', 'edit', 'auto']

const EXAMPLES: readonly Example[] = [
  ['haft run "why does the test fail?"', 'give the model a task in this folder'],
  ['haft run "describe @logo.png"', 'attach a file or an image'],
  ['git diff | haft run "review this" --tools read_file', 'append piped text, choose the tools'],
  ['haft run --continue "now fix it"', 'go on with the last session'],
  ['haft run --continue', 'go on with a run that was cut off, by its limit of steps or because its process was killed'],
]

/** Adds `haft run`: gives a model a task and shows what it does. */
export function addRun(program: Command, cli: Cli, exit: (code: number) => void): void {
  const command = program
    .command('run')
    .description('Give a model a task; it works with the tools')
    .argument('[prompt...]', 'the task; @file attaches a file or image, piped text is appended')
    .option('--model <model>', 'model to use (default: HAFT_MODEL, the settings, the first that is found, demo)')
    .option('--tools <names>', 'only these tools, separated by commas; "" for none (default: all)')
    .option('--only', 'with --tools: not even the control tools beside them, such as ask_user and task_complete')
    .addOption(new Option('--mode <mode>', 'what runs without asking').choices(MODES))
    .option(
      '--max-steps <number>',
      'stop after this many replies of the model (default: max_steps under [run] in the settings, else 50)',
    )
    .option('--continue [session]', 'continue a session (default: the last one of the folder)')
    .option('--workspace <folder>', 'folder to work in (default: HAFT_WORKSPACE, else the current folder)')
    .option('-y, --yes', 'approve every request; calls that a rule denies stay blocked')
    .option('--wait', 'if no person is at this terminal, wait for an answer from elsewhere (haft approvals)')
    .option('--strict', 'exit with 3 if a call was blocked or denied, also where the model answered')
    .option('-q, --quiet', 'print the answer only')
    .option('--json', 'print events as JSON lines only')
    .option('--record <file>', 'record the replies of the model; replay:FILE replays them')
    .option('--print-prompt', 'print the system prompt and send nothing')
    .action(async (words: readonly string[], given: RunOptions, command: Command) => {
      const { prompt, options } = separatePrompt(words, given)
      checkOptions(options, command)
      exit(options.printPrompt ? await printPrompt(cli, options) : await run(cli, options, { prompt, command }))
    })
  addExamples(command, EXAMPLES)
}

/** `--continue "now fix it"` gives a prompt, not an id: ids start with s_. */
function separatePrompt(words: readonly string[], options: RunOptions): { prompt: string[]; options: RunOptions } {
  const { continue: id } = options
  if (typeof id !== 'string' || /^s_\w*$/.test(id)) return { prompt: [...words], options }
  return { prompt: [id, ...words], options: { ...options, continue: true } }
}

function checkOptions({ maxSteps, continue: continued, tools, only }: RunOptions, command: Command): void {
  if (continued !== undefined && tools !== undefined)
    command.error('error: --tools: a session keeps the tools that it began with')
  if (only && tools === undefined) command.error('error: --only: name the tools with --tools')
  if (maxSteps !== undefined && !/^[1-9]\d{0,8}$/.test(maxSteps))
    command.error(`error: --max-steps ${maxSteps}: expected a whole number above 0`)
}

function sessionOptionsOf({ tools, only, mode }: RunOptions): { tools?: string[]; only?: true; mode?: Mode } {
  const names = tools?.split(',').map((name) => name.trim())
  return { ...(names && { tools: names.filter((name) => name !== '') }), ...(only && { only }), ...(mode && { mode }) }
}

/** Prints the system prompt of a session in this folder. The session is kept in memory and leaves nothing behind. */
async function printPrompt(cli: Cli, options: RunOptions): Promise<number> {
  const { workspace = '.', ...given } = callingOptionsOf(cli, options)
  const home = await cli.openHome({ ...given, storage: 'memory' })
  try {
    const session = await (await home.host(workspace)).session(sessionOptionsOf(options))
    const text = session.systemPrompt()
    if (options.json) cli.writeJson({ system: text })
    else cli.write(`${process.stdout.isTTY ? printable(text) : text}\n`)
    return EXIT.ok
  } finally {
    await home.close()
  }
}

interface RunInput {
  readonly prompt: readonly string[]
  readonly command: Command
}

async function run(cli: Cli, options: RunOptions, { prompt: words, command }: RunInput): Promise<number> {
  // Only what the person typed names files: piped text may come from anywhere.
  const typed = attachFiles(words.join(' '), workspaceOf(options))
  const prompt = { ...typed, text: joinPrompt(typed.text, await readPiped()) }
  if (prompt.text === '' && options.continue === undefined)
    command.error("error: missing argument 'prompt': what should the model do?")
  for (const note of prompt.notes) warn(cli, note)
  const { workspace: _, ...given } = callingOptionsOf(cli, options)
  const home = await cli.openHome(given)
  const interrupt = listenForInterrupt()
  try {
    return await runIn(cli, options, { home, interrupt, prompt })
  } catch (thrown) {
    cli.printError(paintError('red', wrapFor(process.stderr, messageOf(thrown)).join('\n')))
    return interrupt.exitCode() ?? EXIT.failed
  } finally {
    await home.close()
    interrupt.stop()
  }
}

interface RunParts {
  readonly home: Home
  readonly interrupt: Interrupt
  readonly prompt: Prompt
}

async function runIn(cli: Cli, options: RunOptions, { home, interrupt, prompt }: RunParts): Promise<number> {
  const { signal } = interrupt
  const code = await showRun(cli, options, {
    ...{ home, interrupt },
    open: (caller) =>
      openSession(home, {
        ...{ workspace: workspaceOf(options), continued: options.continue, model: options.model, caller },
        selection: sessionOptionsOf(options),
        fileProblem: (problem) => warn(cli, describeFileProblem(problem)),
      }),
    work: (session) =>
      prompt.text === ''
        ? session.resume({ ...sendOptionsOf(options, signal), afterLimit: true })
        : send(session, prompt, { options, signal }),
  })
  if (code !== undefined) return code
  warn(cli, await whyNotResumed(home))
  return EXIT.usage
}

/** What a person can do where `--continue` without a message found no run to go on with. */
async function whyNotResumed({ approvals, inputs }: Home): Promise<string> {
  const isAsked = (await approvals.list()).length + (await inputs.list()).length > 0
  const hint = isAsked ? 'One may wait for your answer, see: haft approvals. ' : ''
  return `There is no cut-off run to go on with. ${hint}Say what the model should do next: haft run --continue "…"`
}

interface SendParts {
  readonly options: RunOptions
  readonly signal: AbortSignal
}

function send(session: Session, { text, attachments }: Prompt, { options, signal }: SendParts): Promise<RunEnd> {
  return session.send(text, {
    ...sendOptionsOf(options, signal),
    ...(attachments.length > 0 && { attachments }),
  })
}

function sendOptionsOf({ model, maxSteps, record }: RunOptions, signal: AbortSignal) {
  return {
    signal,
    ...(model !== undefined && { model }),
    ...(maxSteps !== undefined && { maxSteps: Number(maxSteps) }),
    ...(record !== undefined && { record }),
  }
}
