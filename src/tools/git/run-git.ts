import { ToolError } from '../../core/call/result.ts'
import { answerRun } from '../../core/call/run-answer.ts'
import type { ChangedFiles, RunOrder, RunReport } from '../../core/ports/sandbox.ts'
import { SAFE_GIT } from './safe-script.ts'

/** The most characters of one command's output that are read. */
const MAX_OUTPUT = 1_000_000
const SECONDS = 60

/** One or more git commands in one repository. */
export interface GitOrder {
  /** Folder of the repository, relative to the workspace. */
  readonly repo?: string | undefined
  /** The arguments of each command; they run in order until one fails. */
  readonly commands: readonly (readonly string[])[]
  readonly seconds?: number
}

/** What a git command printed, and whether that was cut at the limit. */
export interface GitOutput {
  readonly text: string
  readonly isCut: boolean
}

/** Runs a program: `context.run`, or `context.dryRun` before an approval. */
export type Run = (order: RunOrder) => Promise<RunReport>

/** Runs git commands with nothing of the repository executed, and returns the output of each. Throws ToolError with git's own words if one fails. */
export async function runGit(run: Run, order: GitOrder): Promise<readonly GitOutput[]> {
  return (await tryGit(run, order)).outputs
}

/** The same, with what was changed. */
export async function tryGit(
  run: Run,
  { repo = '.', commands, seconds = SECONDS }: GitOrder,
): Promise<{ readonly outputs: readonly GitOutput[]; readonly changed: ChangedFiles | undefined }> {
  const mark = `haft-${crypto.randomUUID()}`
  const words = commands.flatMap((command) => [...command, mark])
  const report = await run({
    argv: ['bash', '-c', SAFE_GIT, 'git', `${MAX_OUTPUT}`, mark, repo, ...words],
    limits: { seconds },
  })
  if (report.ended !== 'exit') answerRun(report)
  if (/^git: line \d+: cd: /m.test(report.stderr))
    throw new ToolError('FILE_NOT_FOUND', `${repo} is not a folder of the workspace.`)
  if (report.exitCode !== 0) throw gitError(report)
  const texts = report.stdout.split(mark).slice(0, commands.length)
  return {
    outputs: texts.map((text) => ({ text, isCut: Buffer.byteLength(text) >= MAX_OUTPUT })),
    changed: report.changed,
  }
}

function gitError({ stderr, stdout, exitCode }: RunReport): ToolError {
  const words = (stderr.trim() || stdout.replace(/haft-[\w-]{36}/g, '').trim())
    .replace(/^(fatal|error): /gm, '')
    .replace(/\nStopping at filesystem boundary.*$/m, '')
  const hint = HINTS.find(([pattern]) => pattern.test(words))?.[1] ?? ''
  return new ToolError('EXECUTION_ERROR', `git: ${words.slice(0, 2_000) || `exit code ${exitCode}`}${hint}`, {
    details: { exitCode },
  })
}

const HINTS: readonly (readonly [RegExp, string])[] = [
  [/not a git repository/, '. There is no repository in this folder of the workspace; name its folder with `repo`.'],
  [/outside the workspace/, '. Open Haft in the folder of the repository.'],
  [
    /auto-detection|tell me who you are|empty ident/i,
    '\nSet user.name and user.email with git config; nothing was committed.',
  ],
]

/** Throws ToolError for a name that git would read as an option, or that no reference can have. */
export function checkRef(name: string | undefined, parameter: string): void {
  if (name === undefined) return
  if (name.startsWith('-'))
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `${parameter}: ${JSON.stringify(name)} starts with "-", which git reads as an option. Name a branch, tag or commit.`,
    )
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no reference holds one.
  if (/[\u0000-\u0020\u007f]/.test(name.replace(/:.*$/s, '')))
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `${parameter}: ${JSON.stringify(name)} holds a space or control character, which no reference may.`,
    )
}

/** A command line as a person would type it, for rules and approval requests. */
export function commandLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ')
}
