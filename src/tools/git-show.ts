import { answer } from '../core/call/result.ts'
import { array, boolean, objectSchema, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'
import { runs } from '../core/tool/touch.ts'
import { CHANGED_FILE, COMMIT, REPO, ref } from './git/git-schemas.ts'
import { COMMIT_FORMAT, describeCommit, describeFiles, readCommits, readNumstat } from './git/read-output.ts'
import { checkRef, commandLine, runGit } from './git/run-git.ts'

const SAFE_SHOW = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-show-signature',
  '--ignore-submodules=dirty',
  '--submodule=short',
]

export default defineTool({
  name: 'git_show',
  description: 'Show a commit with its changes, or with `path` a file as it was in that commit.',
  input: objectSchema({
    ref: optional(ref('Branch, tag or commit, default HEAD')),
    path: optional(string('File relative to the repository', { minLength: 1, pattern: '^[^\\0]*$' })),
    repo: REPO,
  }),
  output: objectSchema({
    commit: optional(COMMIT),
    files: optional(array(CHANGED_FILE, 'Changed files')),
    diff: optional(string('Unified diff of the commit')),
    content: optional(string('The file')),
    truncated: optional(boolean('True if the text was cut')),
  }),
  effect: 'read',
  main: 'ref',
  touches: ({ ref: name = 'HEAD', path, repo }) => [
    runs(
      commandLine(['git', 'show', path === undefined ? name : `${name}:${path}`]),
      repo === undefined ? {} : { cwd: repo },
    ),
  ],
  prepare({ ref: name }) {
    checkRef(name, 'ref')
    return undefined
  },
  async execute({ ref: name = 'HEAD', path, repo }, { run }) {
    if (path !== undefined) {
      const object = `${name}:${path.replace(/^(?:\.\/)+/, '')}`
      const [output] = await runGit(run, { repo, commands: [['cat-file', 'blob', object]] })
      const content = output?.text ?? ''
      const cut = output?.isCut ? '\n[the file was cut]' : ''
      return answer(`${content}${cut}`, { content, ...(output?.isCut && { truncated: true }) })
    }
    const commit = `${name}^{commit}`
    const [head, stat, patch] = await runGit(run, {
      repo,
      commands: [
        ['log', '-n1', '--no-color', '--no-show-signature', `--format=${COMMIT_FORMAT}`, commit, '--'],
        ['show', '--format=', '--numstat', '-z', ...SAFE_SHOW, commit, '--'],
        ['show', '--format=', ...SAFE_SHOW, commit, '--'],
      ],
    })
    const [shown] = readCommits(head?.text ?? '')
    const files = readNumstat(stat?.text ?? '')
    const diff = patch?.text ?? ''
    const text = [
      shown ? describeCommit(shown) : '',
      '',
      describeFiles(files),
      '',
      diff.trimEnd(),
      patch?.isCut ? '[the diff was cut]' : '',
    ]
    return answer(text.join('\n').trim(), {
      ...(shown && { commit: shown }),
      files,
      diff,
      ...(patch?.isCut && { truncated: true }),
    })
  },
})
