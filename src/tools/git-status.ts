import { answer } from '../core/call/result.ts'
import { array, boolean, integer, objectSchema, oneOf, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'
import { runs } from '../core/tool/touch.ts'
import { REPO } from './git/git-schemas.ts'
import { CHANGE_KINDS, describeStatus, readStatus } from './git/read-status.ts'
import { runGit } from './git/run-git.ts'

const kind = (description: string) => optional(oneOf(CHANGE_KINDS, description))

export default defineTool({
  name: 'git_status',
  description: 'Show the branch, what is staged, changed and untracked, and how far the branch is from its upstream.',
  input: objectSchema({ repo: REPO }),
  output: objectSchema({
    branch: optional(string('Absent if HEAD is detached')),
    commit: optional(string('Absent before the first commit')),
    upstream: optional(string('The branch it tracks')),
    ahead: optional(integer('Commits that the upstream does not have')),
    behind: optional(integer('Commits that only the upstream has')),
    files: array(
      objectSchema({
        path: string('The file'),
        from: optional(string('Its former path')),
        staged: kind('Change that is staged'),
        unstaged: kind('Change that is not staged'),
      }),
      'Changed and untracked files',
    ),
    more: optional(boolean('True if there are more files')),
  }),
  effect: 'read',
  touches: ({ repo }) => [runs('git status', repo === undefined ? {} : { cwd: repo })],
  async execute({ repo }, { run }) {
    const [output] = await runGit(run, {
      repo,
      commands: [
        [
          '--no-optional-locks',
          'status',
          '--porcelain=v2',
          '--branch',
          '-z',
          '--ignore-submodules=dirty',
          '--find-renames',
        ],
      ],
    })
    const status = readStatus(output?.text ?? '', output?.isCut ?? false)
    return answer(describeStatus(status), status)
  },
})
