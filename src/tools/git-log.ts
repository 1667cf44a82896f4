import { answer } from '../core/call/result.ts'
import { array, boolean, integer, objectSchema, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'
import { runs } from '../core/tool/touch.ts'
import { COMMIT, PATHS, REPO, ref } from './git/git-schemas.ts'
import { COMMIT_FORMAT, type Commit, readCommits } from './git/read-output.ts'
import { checkRef, commandLine, runGit } from './git/run-git.ts'

const DEFAULT_COUNT = 20

export default defineTool({
  name: 'git_log',
  description: 'List commits, newest first, with author, date and message.',
  input: objectSchema({
    ref: optional(ref('Branch, tag, commit or range such as main..dev; default HEAD')),
    maxCount: optional(integer(`Maximum commits, default ${DEFAULT_COUNT}`, { minimum: 1, maximum: 500 })),
    search: optional(string('Only messages with this text', { minLength: 1, maxLength: 1_000, pattern: '^[^\\0]*$' })),
    author: optional(string('Only authors with this text', { minLength: 1, maxLength: 200, pattern: '^[^\\0]*$' })),
    since: optional(string('Only later ones, e.g. 2026-01-31', { minLength: 1, maxLength: 100, pattern: '^[^\\0]*$' })),
    paths: PATHS,
    repo: REPO,
  }),
  output: objectSchema({
    commits: array(COMMIT, 'Commits'),
    more: optional(boolean('True if there are more')),
  }),
  effect: 'read',
  main: 'ref',
  touches: (input) => [
    runs(commandLine(['git', 'log', ...wordsOf(input)]), input.repo === undefined ? {} : { cwd: input.repo }),
  ],
  prepare({ ref: name }) {
    checkRef(name, 'ref')
    return undefined
  },
  async execute(input, { run }) {
    const { maxCount = DEFAULT_COUNT, repo } = input
    const [output] = await runGit(run, {
      repo,
      commands: [
        [
          'log',
          '--no-color',
          '--no-show-signature',
          `--format=${COMMIT_FORMAT}`,
          `-n${maxCount + 1}`,
          ...wordsOf(input),
        ],
      ],
    })
    const found = readCommits(output?.text ?? '')
    const commits = found.slice(0, maxCount)
    const isMore = found.length > maxCount || output?.isCut === true
    const lines = commits.map(lineOf)
    if (isMore) lines.push('[there are more commits; raise maxCount or narrow the search]')
    return answer(lines.join('\n') || 'No commits found.', { commits, ...(isMore && { more: true }) })
  },
})

interface LogInput {
  readonly ref?: string
  readonly search?: string
  readonly author?: string
  readonly since?: string
  readonly paths?: readonly string[]
  readonly repo?: string
}

function wordsOf({ ref: name, search, author, since, paths = [] }: LogInput): string[] {
  return [
    ...(search === undefined ? [] : [`--grep=${search}`, '--fixed-strings', '--regexp-ignore-case']),
    ...(author === undefined ? [] : [`--author=${author}`]),
    ...(since === undefined ? [] : [`--since=${since}`]),
    ...(name === undefined ? [] : [name]),
    '--',
    ...paths,
  ]
}

function lineOf({ commit, date, author, subject, refs }: Commit): string {
  const names = refs.length > 0 ? ` (${refs.join(', ')})` : ''
  return `${commit.slice(0, 10)} ${date.slice(0, 10)} ${author.replace(/ <.*$/, '')}: ${subject}${names}`
}
