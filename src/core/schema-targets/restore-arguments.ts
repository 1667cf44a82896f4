import { isRecord } from '../text/json.ts'
import type { Step } from './target.ts'

/** Takes away the nulls that stand for properties left out, as a target that requires every property makes a model send them. */
export function restoreArguments(given: unknown, addedNulls: readonly (readonly Step[])[]): unknown {
  return addedNulls.reduce((value, steps) => dropNull(value, steps), given)
}

function dropNull(value: unknown, [step, ...rest]: readonly Step[]): unknown {
  if (step === undefined) return value
  if (step === null) return Array.isArray(value) ? value.map((item) => dropNull(item, rest)) : value
  if (!isRecord(value) || !Object.hasOwn(value, step)) return value
  if (rest.length > 0) return { ...value, [step]: dropNull(value[step], rest) }
  if (value[step] !== null) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== step))
}
