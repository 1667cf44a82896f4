import type { Mode } from '../session/mode.ts'
import type { Plan } from './plan.ts'

/** Says what a plan asks for and does not get: its jobs work in `mode`. */
export function warningsOf({ mode: asked }: Pick<Plan, 'mode'>, mode: Mode): readonly string[] {
  if (asked === undefined || asked === mode) return []
  return [
    `The plan asks for mode ${asked}, but its jobs work in mode ${mode}: a plan can only be stricter than whoever starts it.`,
  ]
}
