import type { JsonSchema } from '../../text/json.ts'
import { type Compiling, type Location, noteLoss } from '../compiling.ts'
import type { Subset } from '../target.ts'
import { hintFor } from './hints.ts'

/** Writing a schema in the subset of a target. */
export interface Writing {
  readonly subset: Subset
  readonly compiling: Compiling
  /** Writes a schema below; undefined for one that accepts nothing. */
  write(schema: unknown, location: Location): JsonSchema | undefined
}

/** Keywords that say something to a reader and check nothing. */
const WORDS = new Set([
  ...['title', 'default', 'examples', 'example', 'deprecated', 'readOnly', 'writeOnly', 'format'],
  ...['contentEncoding', 'contentMediaType', 'contentSchema'],
])

/** Notes that a keyword is lost, and adds it to the hints where words can stand for it. */
export function loseKeyword(
  [keyword, value]: readonly [string, unknown],
  { location, hints }: { readonly location: Location; readonly hints: string[] },
  { compiling }: Writing,
): void {
  const hint = hintFor(keyword, value)
  if (hint !== undefined) hints.push(hint)
  const isWords = WORDS.has(keyword) || keyword.startsWith('x-')
  const rest = isWords ? 'left out' : 'left out; checked when the call runs'
  noteLoss(compiling, {
    path: location.path,
    keyword,
    effect: isWords ? 'note' : 'looser',
    text: hint === undefined ? rest : 'written into the description',
  })
}

/** Records why the target cannot take the schema. */
export function refuse({ compiling }: Writing, { path }: Location, reason: string): void {
  compiling.refused.push(`${path === '' ? 'the root' : path} ${reason}`)
}
