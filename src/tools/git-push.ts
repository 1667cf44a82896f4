import { answer, ToolError } from '../core/call/result.ts'
import type { ToolContext } from '../core/tool/context.ts'
import { next, output, pipeline } from '../core/tool/pipeline.ts'
import { array, boolean, integer, objectSchema, oneOf, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'
import { runs } from '../core/tool/touch.ts'
import { REPO, ref } from './git/git-schemas.ts'
import { describePlan, type PushInput, type PushPlan, planPush } from './git/plan-push.ts'
import { checkRef, commandLine, runGit } from './git/run-git.ts'

export default defineTool({
  name: 'git_push',
  description: 'Push a branch to a remote, with the credentials of the user, who is asked first. Hooks do not run.',
  input: objectSchema({
    remote: optional(ref('Remote, default that of the branch, or origin')),
    branch: optional(ref('Branch, default the current one')),
    to: optional(ref('Branch of the remote, default the same name')),
    force: optional(boolean('Replace the remote branch, unless it has moved since it was last seen')),
    setUpstream: optional(boolean('Track the remote branch')),
    repo: REPO,
  }),
  output: objectSchema({
    remote: string('Remote'),
    url: string('Its address, without credentials'),
    branch: string('Branch of the remote'),
    commit: string('What it is at now'),
    outcome: oneOf(['created', 'updated', 'forced', 'unchanged'], 'What became of the branch'),
    commits: array(string('Commit'), 'New commits, at most 20'),
    total: integer('Number of new commits'),
  }),
  effect: 'network',
  main: 'branch',
  timeout: () => 300,
  touches: (input) => [
    runs(commandLine(['git', ...wordsOf(input)]), input.repo === undefined ? {} : { cwd: input.repo }),
  ],
  steps: (input) =>
    pipeline()
      .step(async (_, { dryRun }) => {
        checkRef(input.remote, 'remote')
        checkRef(input.branch, 'branch')
        checkBranch(input.to ?? input.branch)
        const plan = await planPush(dryRun, input)
        const verb = plan.force ? 'Overwrite' : 'Push'
        const summary = `${verb} \`${plan.branch}\` ${plan.force ? 'on' : 'to'} \`${plan.remote}\` (${plan.address.shown})`
        return next(plan, { preview: { kind: 'text', text: describePlan(plan) }, summary })
      })
      .approval()
      .step(async (plan, context) => {
        const { outcome, text } = await context.machine.push(orderOf(plan), context.signal)
        const note = await noteRemote(plan, input.setUpstream === true, input.repo, context)
        const { remote, branch, commit, address, total } = plan
        const done = { created: 'Created', updated: 'Updated', forced: 'Replaced', unchanged: 'Already up to date:' }[
          outcome
        ]
        return output(
          answer(
            [`${done} ${branch} on ${remote} (${address.shown}), now at ${commit.slice(0, 10)}.`, text, note]
              .filter(Boolean)
              .join('\n'),
            {
              ...{ remote, branch, commit, outcome, total, url: address.shown },
              commits: plan.commits.map((one) => `${one.commit.slice(0, 10)} ${one.subject}`),
            },
          ),
        )
      }),
})

function orderOf({ repository, commit, branch, url, force }: PushPlan) {
  return { repository, commit, branch, url, ...(force && { force }) }
}

/** The command line that a person would type, for rules. */
function wordsOf({ remote = 'origin', branch, to, force }: PushInput): string[] {
  const target = to === undefined ? branch : `${branch ?? 'HEAD'}:${to}`
  return ['push', ...(force ? ['--force-with-lease'] : []), remote, ...(target === undefined ? [] : [target])]
}

/** Throws ToolError for what is not the name of a branch, such as a refspec that deletes one. */
function checkBranch(name: string | undefined): void {
  if (name === undefined || !/^[-+]|[:~^?*[\\\s]|\.\.|@\{|\.lock$|\/$|^\/|\/\/|^refs\//.test(name)) return
  throw new ToolError('INVALID_ARGUMENTS', `branch: ${JSON.stringify(name)} is not the name of a branch.`)
}

/** Records the new state of the remote branch in the repository. The push has happened, so a failure is only told. */
async function noteRemote(
  plan: PushPlan,
  tracks: boolean,
  repo: string | undefined,
  { run }: ToolContext,
): Promise<string> {
  const { remote, branch, local, commit } = plan
  const track = tracks ? [['branch', `--set-upstream-to=${remote}/${branch}`, local]] : []
  try {
    await runGit(run, { repo, commands: [['update-ref', `refs/remotes/${remote}/${branch}`, commit], ...track] })
    return tracks ? `${local} tracks ${remote}/${branch}.` : ''
  } catch (thrown) {
    return `[pushed, but the repository here was not told: ${thrown instanceof Error ? thrown.message : String(thrown)}]`
  }
}
