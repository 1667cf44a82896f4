import { isChecklist } from '../../../core/plans/is-plan-text.ts'
import { PlanError } from '../../../core/plans/plan.ts'
import type { ReadPlan } from './plan-source.ts'
import { readMarkdownPlan } from './read-markdown.ts'
import { readYamlPlan } from './read-yaml.ts'

/** Plans longer than this are refused, in characters. */
const MAX_TEXT = 1_000_000

/** Reads a plan written as YAML, JSON or a Markdown checklist; `file` decides by its ending where it is given, else the text does. Throws PlanError where it is none. */
export function readPlan(text: string, file?: string): ReadPlan {
  if (text.length > MAX_TEXT)
    throw new PlanError([{ where: '', text: `the plan has ${text.length} characters; at most ${MAX_TEXT} are read` }])
  return isMarkdown(text, file) ? readMarkdownPlan(text) : readYamlPlan(text)
}

/** Reads a plan that came as data. Places are left out: they would be those of a text that nobody has. */
export function readPlanData(data: unknown): ReadPlan {
  try {
    return { plan: readYamlPlan(JSON.stringify(data)).plan, places: new Map() }
  } catch (thrown) {
    if (!(thrown instanceof PlanError)) throw thrown
    throw new PlanError(thrown.problems.map(({ where, text }) => ({ where, text })))
  }
}

/** True for a checklist. */
export function isMarkdown(text: string, file?: string): boolean {
  const [, ending] = /\.(md|markdown|ya?ml|json)$/i.exec(file ?? '') ?? []
  if (ending !== undefined) return /^m/i.test(ending)
  return isChecklist(text)
}
