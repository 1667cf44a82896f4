import { answer, ToolError } from '../core/call/result.ts'
import type { ToolContext } from '../core/tool/context.ts'
import { array, boolean, objectSchema, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'
import { runs } from '../core/tool/touch.ts'
import { CHANGED_FILE, PATHS, REPO } from './git/git-schemas.ts'
import { COMMIT_FORMAT, describeFiles, readCommits, readNumstat } from './git/read-output.ts'
import { commandLine, runGit } from './git/run-git.ts'

export default defineTool({
  name: 'git_commit',
  description: 'Commit what is staged; with `paths` these files, with `all` every change. Hooks do not run.',
  input: objectSchema({
    message: string('Commit message', { minLength: 1, maxLength: 50_000, pattern: '^[^\\0]*$' }),
    paths: PATHS,
    all: optional(boolean('Every change, new and deleted files included')),
    repo: REPO,
  }),
  output: objectSchema({
    commit: string('Its full name'),
    branch: optional(string('Absent if HEAD is detached')),
    subject: string('First line of the message'),
    files: array(CHANGED_FILE, 'Changed files'),
    hooks: optional(array(string('Hook'), 'Hooks that did not run')),
  }),
  effect: 'run',
  main: 'message',
  touches: (input) => [
    runs(
      commandsOf(input)
        .map((words) => commandLine(['git', ...words]))
        .join(' && '),
      input.repo === undefined ? {} : { cwd: input.repo },
    ),
  ],
  prepare(input) {
    const { message, paths, all } = input
    if (message.trim() === '')
      throw new ToolError('INVALID_ARGUMENTS', 'message: is empty; say what the commit changes.')
    if (paths && all) throw new ToolError('INVALID_ARGUMENTS', 'paths and all: give one of the two.')
    return {
      preview: {
        kind: 'command',
        text: commandsOf(input)
          .map((words) => commandLine(['git', ...words]))
          .join('\n'),
      },
    }
  },
  async execute(input, { run, files: access }) {
    const { repo, message } = input
    const outputs = await runGit(run, {
      repo,
      commands: [
        ...commandsOf(input),
        ['log', '-n1', '--no-color', '--no-show-signature', `--format=${COMMIT_FORMAT}`, 'HEAD', '--'],
        [
          'diff-tree',
          '--root',
          '-r',
          '--no-commit-id',
          '--numstat',
          '-z',
          '-M',
          '--no-ext-diff',
          '--no-textconv',
          'HEAD',
          '--',
        ],
        ['branch', '--show-current'],
      ],
    })
    const [log, stat, current] = outputs.slice(-3)
    const [made] = readCommits(log?.text ?? '')
    if (made === undefined) throw new ToolError('EXECUTION_ERROR', 'git printed no commit.')
    const files = readNumstat(stat?.text ?? '')
    const branch = current?.text.trim()
    const hooks = findHooks(access, repo)
    const note = hooks.length > 0 ? `\n[hooks did not run: ${hooks.join(', ')}]` : ''
    const text = `Committed ${made.commit.slice(0, 10)}${branch ? ` on ${branch}` : ''}: ${made.subject || message.trim()}\n${describeFiles(files)}${note}`
    return answer(text, {
      ...{ commit: made.commit, subject: made.subject, files },
      ...(branch && { branch }),
      ...(hooks.length > 0 && { hooks }),
    })
  },
})

interface CommitInput {
  readonly message: string
  readonly paths?: readonly string[]
  readonly all?: boolean
  readonly repo?: string
}

function commandsOf({ message, paths, all }: CommitInput): readonly (readonly string[])[] {
  const commit = ['commit', '-q', '-m', message]
  if (all) return [['add', '-A'], commit]
  return paths === undefined
    ? [commit]
    : [
        ['add', '--', ...paths],
        [...commit, '--', ...paths],
      ]
}

const HOOKS = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit']

/** The hooks of the repository that a commit by hand would run; none where its folder cannot be read. */
function findHooks(files: ToolContext['files'], repo = '.'): readonly string[] {
  return [`${repo}/.git/hooks`, `${repo}/.husky`].flatMap((folder) => {
    try {
      const { entries } = files.list(folder, { hidden: false, limit: 200 })
      return entries.map(({ name }) => name).filter((name) => HOOKS.includes(name))
    } catch {
      // There is no such folder, or it may not be read: then nothing is known of hooks.
      return []
    }
  })
}
