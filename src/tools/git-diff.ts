import { answer, ToolError } from '../core/call/result.ts'
import { array, boolean, integer, objectSchema, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'
import { runs } from '../core/tool/touch.ts'
import { CHANGED_FILE, PATHS, REPO, ref } from './git/git-schemas.ts'
import { describeFiles, readNumstat } from './git/read-output.ts'
import { checkRef, commandLine, runGit } from './git/run-git.ts'

/** A diff that runs no program of the repository and looks into no submodule. */
const SAFE_DIFF = ['--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=dirty', '--submodule=short']

export default defineTool({
  name: 'git_diff',
  description:
    'Show changes as a unified diff: of the working tree (default), of what is staged, or between two commits. Untracked files are not part of it.',
  input: objectSchema({
    staged: optional(boolean('What is staged for the next commit')),
    from: optional(ref('Branch, tag or commit to compare with')),
    to: optional(ref('Second commit; default the working tree')),
    paths: PATHS,
    repo: REPO,
  }),
  output: objectSchema({
    files: array(CHANGED_FILE, 'Changed files'),
    diff: string('Unified diff'),
    added: integer('Lines added'),
    removed: integer('Lines removed'),
    truncated: optional(boolean('True if the diff was cut')),
  }),
  effect: 'read',
  main: 'paths',
  touches: (input) => [runs(commandLine(['git', ...wordsOf(input)]), cwdOf(input))],
  prepare({ staged, from, to }) {
    checkRef(from, 'from')
    checkRef(to, 'to')
    if (to !== undefined && from === undefined)
      throw new ToolError('INVALID_ARGUMENTS', 'to: needs `from`, the commit to compare with.')
    if (staged && to !== undefined)
      throw new ToolError(
        'INVALID_ARGUMENTS',
        'staged: cannot be used with `to`; what is staged is compared with `from`.',
      )
    return undefined
  },
  async execute(input, { run }) {
    const [, ...rest] = wordsOf(input)
    const [stat, patch] = await runGit(run, {
      repo: input.repo,
      commands: [
        ['diff', '--numstat', '-z', ...SAFE_DIFF, ...rest],
        ['diff', ...SAFE_DIFF, ...rest],
      ],
    })
    const files = readNumstat(stat?.text ?? '')
    const diff = patch?.text ?? ''
    const total = { added: sum(files.map(({ added }) => added)), removed: sum(files.map(({ removed }) => removed)) }
    const head = `${files.length === 1 ? '1 file' : `${files.length} files`}, +${total.added} -${total.removed}`
    const cut = patch?.isCut ? '\n[the diff was cut; name fewer paths]' : ''
    const text = files.length === 0 ? 'No changes.' : `${head}\n${describeFiles(files)}\n\n${diff.trimEnd()}${cut}`
    return answer(text, { files, diff, ...total, ...(patch?.isCut && { truncated: true }) })
  },
})

interface DiffInput {
  readonly staged?: boolean
  readonly from?: string
  readonly to?: string
  readonly paths?: readonly string[]
  readonly repo?: string
}

function wordsOf({ staged, from, to, paths = [] }: DiffInput): string[] {
  const commits = [from, to].filter((name) => name !== undefined)
  return ['diff', ...(staged ? ['--cached'] : []), ...commits, '--', ...paths]
}

function cwdOf({ repo }: DiffInput): { cwd?: string } {
  return repo === undefined ? {} : { cwd: repo }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
