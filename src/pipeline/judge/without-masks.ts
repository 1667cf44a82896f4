import { MASK } from '../../core/secrets/masker.ts'
import { isRecord } from '../../core/text/json.ts'

/** The text that stands in for a mask, which the pipeline would refuse. */
const STAND_IN = 'masked-in-the-log'

const EVERY_MASK = new RegExp(MASK.source, 'g')

/** Replaces the masks in the arguments of a logged call by another text. */
export function withoutMasks(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(EVERY_MASK, STAND_IN)
  if (Array.isArray(value)) return value.map(withoutMasks)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutMasks(member)]))
}

/** True when a mask was replaced somewhere in a value. */
export function wasMasked(value: unknown): boolean {
  return JSON.stringify(value)?.includes(STAND_IN) === true
}
