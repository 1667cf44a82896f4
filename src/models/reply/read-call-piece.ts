import { isRecord } from '../../core/text/json.ts'
import type { CallPiece } from './collect-calls.ts'
import { OPAQUE_MEMBERS } from './opaque-members.ts'

/** A piece of a call from what a server sent: `{index?, id?, function: {name?, arguments?}}`, or the members of `function` beside the others. */
export function readCallPiece(value: unknown): CallPiece {
  if (!isRecord(value)) return {}
  const inner = isRecord(value.function) ? value.function : value
  const { index, id } = value
  const { name, arguments: given } = inner
  const extras = Object.fromEntries(Object.entries(value).filter(([key]) => OPAQUE_MEMBERS.has(key)))
  return {
    ...(typeof index === 'number' && { index }),
    ...(typeof id === 'string' && id !== '' && { id }),
    ...(typeof name === 'string' && name !== '' && { name }),
    ...(given !== undefined && given !== null && { arguments: given }),
    ...(Object.keys(extras).length > 0 && { extras }),
  }
}
