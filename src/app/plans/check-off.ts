import { readPlan } from '../../agent/plans/read/read-plan.ts'
import type { JobView, PlanView } from '../../core/plans/plan-view.ts'
import { isRecord } from '../../core/text/json.ts'
import type { Session } from '../sessions/session.ts'

/** Checks off the line of a job in the plan's Markdown source, as a call that can be undone. The file is read anew, since a person may have edited it: a job that is no longer in it is left alone. Never rejects. */
export async function checkOffLine(session: Session, view: PlanView, job: JobView): Promise<string | undefined> {
  const { plan, source } = view
  if (!plan.checkOff || source === undefined || job.line === undefined) return undefined
  const read = await session.call('read_file', { path: source.path })
  const text = read.ok && isRecord(read.data) && typeof read.data.content === 'string' ? read.data.content : undefined
  const edit = text === undefined ? undefined : findEdit(text, job.id)
  if (edit === undefined) return undefined
  const { id, result } = session.start(
    'edit_file',
    { path: source.path, edits: [edit] },
    { decision: 'allow', by: 'plan' },
  )
  return (await result).ok ? id : undefined
}

/** The most lines around an item that make it unique. */
const AROUND = 10

/** Finds the item of a job and the edit that checks it off; undefined where there is none that is open. */
function findEdit(text: string, id: string): { readonly old: string; readonly new: string } | undefined {
  const line = findLine(text, id)
  if (line === undefined) return undefined
  const lines = text.split('\n')
  for (let around = 0; around <= AROUND; around++) {
    const from = Math.max(0, line - 1 - around)
    const old = lines.slice(from, line + around)
    const joined = old.join('\n')
    if (text.indexOf(joined) !== text.lastIndexOf(joined)) continue
    old[line - 1 - from] = (old[line - 1 - from] ?? '').replace('[ ]', '[x]')
    return { old: joined, new: old.join('\n') }
  }
  return undefined
}

function findLine(text: string, id: string): number | undefined {
  try {
    return readPlan(text, 'plan.md').plan.jobs.find((job) => job.id === id && !job.isDone)?.line
  } catch {
    return undefined
  }
}
