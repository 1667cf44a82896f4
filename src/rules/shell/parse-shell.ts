import { createRequire } from 'node:module'
import type { ParsedScript } from 'unbash'

let parser: typeof import('unbash') | undefined

/** Parses shell text; tolerant, so `errors` must be looked at. The parser is loaded at the first call. */
export function parseShell(text: string): ParsedScript {
  parser ??= createRequire(import.meta.url)('unbash') as typeof import('unbash')
  return parser.parse(text)
}
