import { answer, ToolError } from '../core/call/result.ts'
import { array, boolean, objectSchema, oneOf, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'
import { runs } from '../core/tool/touch.ts'
import { REPO, ref } from './git/git-schemas.ts'
import { checkRef, commandLine, runGit } from './git/run-git.ts'

const FORMAT = '%(HEAD)%09%(refname)%09%(objectname)%09%(upstream:short)%09%(contents:subject)'

export default defineTool({
  name: 'git_branch',
  description: 'List branches, or create one (and switch to it), switch, or delete one that is merged.',
  input: objectSchema({
    action: optional(oneOf(['list', 'create', 'switch', 'delete'], 'Default list')),
    name: optional(ref('Branch; needed for every action but list')),
    from: optional(ref('Start of a new branch, default HEAD')),
    repo: REPO,
  }),
  output: objectSchema({
    current: optional(string('The branch now; absent if HEAD is detached')),
    branches: array(
      objectSchema({
        name: string('Branch'),
        commit: string('Its commit'),
        subject: string('First line of its message'),
        remote: optional(boolean('True for a branch of a remote')),
        upstream: optional(string('The branch it tracks')),
      }),
      'Branches',
    ),
  }),
  effect: 'run',
  main: 'name',
  touches: (input) => [
    runs(commandLine(['git', ...plainWords(input)]), input.repo === undefined ? {} : { cwd: input.repo }),
  ],
  prepare(input) {
    const { action = 'list', name, from } = input
    checkRef(name, 'name')
    checkRef(from, 'from')
    if (action !== 'list' && name === undefined)
      throw new ToolError('INVALID_ARGUMENTS', `name: the branch to ${action} is missing.`)
    return { preview: { kind: 'command', text: commandLine(['git', ...plainWords(input)]) } }
  },
  async execute(input, { run }) {
    const { action = 'list', name = '', repo } = input
    const change = action === 'list' ? [] : [plainWords(input)]
    const outputs = await runGit(run, {
      repo,
      commands: [...change, ['for-each-ref', `--format=${FORMAT}`, '--sort=refname', 'refs/heads', 'refs/remotes']],
    })
    const lines = (outputs.at(-1)?.text ?? '')
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('\t'))
    const current = lines.find(([head]) => head === '*')?.[1]?.replace('refs/heads/', '')
    const branches = lines.map(([, full = '', commit = '', upstream = '', ...subject]) => ({
      name: full.replace(/^refs\/(heads|remotes)\//, ''),
      commit,
      subject: subject.join('\t'),
      ...(full.startsWith('refs/remotes/') && { remote: true }),
      ...(upstream !== '' && { upstream }),
    }))
    const listed = branches.map(
      (one) => `${one.name === current ? '*' : ' '} ${one.name} ${one.commit.slice(0, 10)} ${one.subject}`,
    )
    const text = action === 'list' ? listed.join('\n') || 'No branches yet.' : `${DONE[action]} ${name}.`
    return answer(text, { ...(current !== undefined && { current }), branches })
  },
})

const DONE = { create: 'Created and switched to', switch: 'Switched to', delete: 'Deleted' } as const

interface BranchInput {
  readonly action?: 'list' | 'create' | 'switch' | 'delete'
  readonly name?: string
  readonly from?: string
  readonly repo?: string
}

function plainWords({ action = 'list', name = '', from }: BranchInput): string[] {
  if (action === 'list') return ['branch', '--list']
  if (action === 'create') return ['switch', '--no-track', '-c', name, ...(from === undefined ? [] : [from])]
  return action === 'switch' ? ['switch', '--no-guess', name] : ['branch', '-d', name]
}
