import { agentsOfPlan, isWithin } from '../../core/plans/agent-ids.ts'
import type { PlanView } from '../../core/plans/plan-view.ts'
import type { Rule } from '../../core/rules/rule.ts'
import { insidePath } from '../../core/text/paths.ts'
import type { Touch } from '../../core/tool/touch.ts'
import { coversGlob } from '../../rules/match-effects.ts'

/** The name of the rule that holds a job to its `files`. */
export const JOB_FILES = 'job_files'

/** Returns a rule for each job that names its `files`: its sub-agents may change nothing else in the workspace, by whatever tool. For commands it counts again for what they really changed. */
export function jobRules({ id: plan, workspace, jobs }: Pick<PlanView, 'id' | 'workspace' | 'jobs'>): readonly Rule[] {
  return jobs.flatMap(({ id, files }, index) => {
    if (files === undefined) return []
    const agents = `${agentsOfPlan(plan)}.${index + 1}`
    const isOutside = (touch: Touch): boolean => {
      if (touch.kind !== 'writes' && touch.kind !== 'deletes') return false
      const path = insidePath(workspace, touch.path)
      return path !== undefined && !files.some((glob) => allows(glob, path, touch.kind))
    }
    return [
      {
        ...{ name: JOB_FILES, decision: 'deny', writes: ['**'] },
        reason: `the job ${id} may change ${files.length === 0 ? 'no file' : `only ${files.join(', ')}`}`,
        when: ({ session }, touches) => isWithin(session, agents) && touches.some(isOutside),
      },
    ]
  })
}

/** True for a path that a glob of `files` covers, what lies in a folder that it names, and the folders above it, which are made with the file. */
function allows(glob: string, path: string, kind: 'writes' | 'deletes'): boolean {
  const named = glob.replace(/\/+$/, '')
  if (coversGlob(path, named) || coversGlob(path, `${named}/**`)) return true
  return kind === 'writes' && named.startsWith(`${path}/`)
}
