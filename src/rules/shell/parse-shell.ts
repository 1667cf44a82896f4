import { createRequire } from 'node:module'
import type { ParsedScript } from 'unbash'
import { ShellLimit } from './shell-budget.ts'

let parser: typeof import('unbash') | undefined

/** Parses shell text. The parser is tolerant, so check `errors`. Loads the parser at the first call; throws ShellLimit for text that would take too long. */
export function parseShell(text: string): ParsedScript {
  if (text.length > 2_000) checkSpeed(text)
  parser ??= createRequire(import.meta.url)('unbash') as typeof import('unbash')
  return parser.parse(text)
}

/** Refuses text with many open braces or heredocs: the parser searches for the end of each one separately, which would take minutes. */
function checkSpeed(text: string): void {
  if (text.split('<<').length > 8_000) throw new ShellLimit('it has too many heredocs')
  const open: number[] = []
  let looked = 0
  for (let at = text.indexOf('{'); at >= 0 && at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '{') open.push(at)
    else if (character === '}') looked += at - (open.pop() ?? at)
  }
  for (const at of open) looked += text.length - at
  if (looked > 30_000_000) throw new ShellLimit('it has too many open braces')
}
