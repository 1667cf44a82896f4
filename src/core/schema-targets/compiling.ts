import type { JsonSchema } from '../text/json.ts'
import type { Loss, Step } from './target.ts'

/** Where in a schema the compiler is. */
export interface Location {
  readonly steps: readonly Step[]
  /** The steps as `Loss` shows them. */
  readonly path: string
  /** The references that were followed to get here: one that comes again is recursive. */
  readonly references: readonly string[]
}

/** One run of the compiler over a tool's schema. */
export interface Compiling {
  /** What `#` refers to. */
  readonly root: JsonSchema
  readonly losses: Loss[]
  /** What the losses are of. */
  readonly noted: Set<string>
  readonly refused: string[]
  readonly addedNulls: (readonly Step[])[]
  /** Schemas that may still be written; references can multiply without end. */
  schemasLeft: number
  propertyCount: number
  enumValueCount: number
  /** The characters of all names of properties and texts in enums. */
  textCount: number
}

const MAX_SCHEMAS = 5000
const MAX_DEPTH = 50

/** Starts a run. */
export function startCompiling(root: JsonSchema): Compiling {
  const counts = { schemasLeft: MAX_SCHEMAS, propertyCount: 0, enumValueCount: 0, textCount: 0 }
  return { root, losses: [], noted: new Set(), refused: [], addedNulls: [], ...counts }
}

/** Records a loss, once for each keyword and place. */
export function noteLoss({ losses, noted }: Compiling, loss: Loss): void {
  const key = JSON.stringify([loss.path, loss.keyword, loss.effect])
  if (noted.has(key)) return
  noted.add(key)
  losses.push(loss)
}

/** Counts one more schema; notes and returns true where it is one too many, or lies too deep. */
export function isTooLarge({ steps, path }: Location, compiling: Compiling): boolean {
  const isDeep = steps.length > MAX_DEPTH
  if (--compiling.schemasLeft >= 0 && !isDeep) return false
  const why = isDeep ? 'lies too deep' : 'is too large when its references are written out'
  const text = `the schema ${why}; any value is accepted here`
  noteLoss(compiling, { path: isDeep ? '' : path, keyword: '$ref', effect: 'looser', text })
  return true
}

/** The top of a schema. */
export const ROOT: Location = { steps: [], path: '', references: [] }

/** The location of a property, or of the items of an array for null. */
export function below({ steps, path, references }: Location, step: Step): Location {
  const shown = step === null ? `${path}[]` : path === '' ? step : `${path}.${step}`
  return { steps: [...steps, step], path: shown, references }
}
