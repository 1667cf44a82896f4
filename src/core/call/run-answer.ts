import type { ChangedFiles, RunEnding, RunMode, RunReport } from '../ports/sandbox.ts'
import { array, integer, number, objectSchema, optional, string } from '../tool/schema.ts'
import { type Answer, answer, ToolError } from './result.ts'

const paths = array(string('A path relative to the workspace'), 'Paths')

/** The output schema of tools that run programs. */
export const RUN_OUTPUT = objectSchema({
  stdout: string('What it printed'),
  stderr: string('What it printed to the error stream'),
  exitCode: integer('0 on success, by convention'),
  duration: number('Milliseconds'),
  changed: optional(
    objectSchema(
      { added: paths, changed: paths, deleted: paths, leadingOut: optional(paths), leftOut: optional(paths) },
      'What it did to the workspace',
    ),
  ),
  diff: optional(string('What a dry run would change, as a unified diff')),
})

/** Returns the data of a finished run. */
export interface RunData {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
  readonly duration: number
  readonly changed?: ChangedFiles
  readonly diff?: string
}

/** Turns the report of a run whose output was streamed into the answer of the tool. Throws ToolError if a limit or the caller ended the run. */
export function answerRun(report: RunReport): Answer<RunData> {
  const { stdout, stderr, exitCode, ended, changed, diff, refused = [] } = report
  if (ended !== 'exit') throw endedError(report, ended)
  const duration = Math.round(report.duration)
  const network = describeNetwork(report)
  const output = [stdout.trimEnd(), stderr.trim() === '' ? '' : `[stderr]\n${stderr.trimEnd()}`]
  const notes = [
    exitCode === 0 ? '' : `[exit code ${exitCode}]`,
    describeChanges(changed),
    describeMode(report),
    network === '' ? '' : `[${network}]`,
    ...refused.map((why) => `[network: ${why}]`),
    hintFor(report),
    diff ?? '',
  ]
  const isSilent = [...output, ...notes].every((part) => part === '')
  const parts = isSilent ? ['[no output; exit code 0]'] : [...output.map((streamed) => ({ streamed })), ...notes]
  return answer(parts, { stdout, stderr, exitCode, duration, ...(changed && { changed }), ...(diff && { diff }) })
}

/** Returns what a program printed to each stream, and its exit code. */
type Output = Pick<RunReport, 'stdout' | 'stderr' | 'exitCode'>

function describeOutput({ stdout, stderr, exitCode }: Output): string[] {
  return [
    stdout.trimEnd(),
    stderr.trim() === '' ? '' : `[stderr]\n${stderr.trimEnd()}`,
    exitCode === 0 ? '' : `[exit code ${exitCode}]`,
  ].filter((part) => part !== '')
}

/** The most characters of output in the text of a failure. The details hold more. */
const REPEATED = 4_000
const MAX_PARTIAL = 50_000

/** Adds the output of a program to a failure that happened after the program had ended, such as a conflict while its changes were applied. */
export function withOutput(thrown: unknown, output: Output): unknown {
  if (!(thrown instanceof ToolError) || thrown.code === 'CANCELLED') return thrown
  const { stdout, stderr, exitCode } = output
  const described = describeOutput(output).join('\n')
  if (described === '') return thrown
  const shown = described.length > REPEATED ? `…${described.slice(-REPEATED)}` : described
  return new ToolError(thrown.code, `${thrown.message} It had printed:\n${shown}`, {
    details: { ...thrown.details, exitCode, partial: `${stdout}${stderr}`.slice(-MAX_PARTIAL) },
    ...(thrown.retryable !== undefined && { retryable: thrown.retryable }),
  })
}

const FATES: Readonly<Record<RunMode, string>> = {
  overlay: 'All its processes were ended, and none of its changes to files were kept.',
  copied: 'All its processes were ended, and none of its changes to files were kept.',
  direct: 'All its processes were ended; what it had changed by then stays changed.',
  bare: 'All its processes were ended; what it had changed by then stays changed.',
}

const REASONS: Readonly<Record<Exclude<RunEnding, 'exit' | 'cancelled'>, string>> = {
  timeout: 'It passed its time limit.',
  cpu: 'It used more processor time than it may.',
  memory: 'It used more memory than it may.',
  processes: 'It started more processes than it may.',
  output: 'It printed more than it may.',
  disk: 'It filled the disk.',
  written: 'It wrote more than one run may.',
  files: 'It wrote more files than one run may.',
}

function endedError(report: RunReport, ended: Exclude<RunEnding, 'exit'>): ToolError {
  const { mode, stdout, stderr } = report
  const network = describeNetwork(report)
  const said = [
    ...(network === '' ? [] : [`The ${network}.`]),
    ...(report.refused ?? []).map((why) => `Network: ${why}`),
  ]
  const fate = [FATES[mode], ...said].join(' ')
  if (ended === 'cancelled') return new ToolError('CANCELLED', fate)
  const code = ended === 'timeout' ? 'TIMEOUT' : ended === 'output' ? 'TOO_LARGE' : 'EXECUTION_ERROR'
  const partial = `${stdout}${stderr}`.slice(-MAX_PARTIAL)
  return new ToolError(code, `${reasonOf(report, ended)} ${fate} (refused by a limit of the sandbox)`, {
    details: { limit: ended, ...(partial !== '' && { partial }) },
  })
}

function reasonOf({ writeLimit, fileLimit }: RunReport, ended: keyof typeof REASONS): string {
  if (ended === 'written' && writeLimit !== undefined)
    return `It wrote more than the ${Math.round(writeLimit / 1e6)} MB that one command may (max_written_mb under [commands] in your settings).`
  if (ended === 'files' && fileLimit !== undefined)
    return `It wrote more than the ${count(fileLimit)} files that one command may (max_written_files under [commands] in your settings).`
  return REASONS[ended]
}

/** Returns a note if the command changed the workspace directly, else an empty text. */
function describeMode({ mode, unguarded = [] }: RunReport): string {
  if (mode !== 'direct') return ''
  const open = unguarded.length === 0 ? '' : `; not guarded: ${unguarded.join(', ')}`
  return `[ran on the workspace itself, so what it changed cannot be undone${open}]`
}

/** How many paths are shown of each kind, and how many of the files that were left out. */
const SHOWN = 20
const SHOWN_LEFT_OUT = 3

/** What a run did to the workspace, in one line; empty where that is nothing. */
export function describeChanges(changed: ChangedFiles | undefined): string {
  if (changed === undefined) return ''
  const parts = (['added', 'changed', 'deleted'] as const)
    .filter((kind) => changed[kind].length > 0)
    .map((kind) => `${kind} ${listPaths(changed[kind])}`)
  if (changed.leadingOut?.length) parts.push(`links that lead out of the workspace: ${listPaths(changed.leadingOut)}`)
  const left = changed.leftOut ?? []
  if (left.length > 0)
    parts.push(
      `${left.length === 1 ? '1 special file was' : `${count(left.length)} special files were`} left out, since a workspace holds no fifos, sockets or devices: ${listPaths(left, SHOWN_LEFT_OUT)}`,
    )
  return parts.length === 0 ? '' : `[${parts.join('; ')}]`
}

function listPaths(all: readonly string[], shown = SHOWN): string {
  const more = all.length > shown ? ` and ${count(all.length - shown)} more` : ''
  return `${all.slice(0, shown).join(', ')}${more}`
}

const count = (number: number): string => number.toLocaleString('en-US')

/** Messages of programs that could not resolve a name or reach another machine. */
const UNREACHED =
  /could ?n[o']t resolve|temporary failure (in name resolution|resolving)|name or service not known|nodename nor servname|network is unreachable|no route to host|unknown ?host|failed to lookup address|dial tcp: lookup|bad address '|\b(EAI_AGAIN|ENOTFOUND|ENETUNREACH|EHOSTUNREACH)\b|failed to connect to (?!localhost|127\.|\[?::1)/i

const NETWORK_OFF =
  'network is off: commands here reach no other machine, unless a person approves a command that names it or opens it in the settings with [sandbox] network'

/** Messages of ssh that could not connect. */
const SSH_FAILED = /^ssh: (could not resolve|connect to)|^fatal: could not read from remote repository/im

/** Returns a note if a program failed because the network is off, or does not carry what it used; else an empty text. */
function describeNetwork({ isOffline, needsNetwork, exitCode, ended, stdout, stderr }: RunReport): string {
  const hasFailed = ended !== 'exit' || exitCode !== 0
  if (isOffline !== undefined && hasFailed && SSH_FAILED.test(stderr))
    return 'network is off for ssh, which does not get out of the sandbox; for git, use the https address: git remote set-url origin https://HOST/PATH'
  if (!isOffline) return ''
  const isSaid = UNREACHED.test(stderr) || (hasFailed && UNREACHED.test(stdout))
  return isSaid || (hasFailed && needsNetwork) ? NETWORK_OFF : ''
}

const WANTS_INPUT = /EOFError|EOF when reading|end of file|not a (tty|terminal)|stdin|standard input/i

/** Returns a hint if a program seems to have failed because it waited for input, else an empty text. */
function hintFor({ exitCode, stderr }: RunReport): string {
  if (exitCode === 0 || !WANTS_INPUT.test(stderr)) return ''
  return '[hint: standard input is closed here; give the input as arguments, a file or a pipe]'
}
