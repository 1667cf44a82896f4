import type { Failed } from './interleave.ts'

/** A Markdown table: the first columns hold words and stand to the left, the others numbers and stand to the right. */
export function makeTable(head: readonly string[], rows: readonly (readonly string[])[], wordColumns = 1): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rule = `|${head.map((_, column) => (column < wordColumns ? '---' : '---:')).join('|')}|`
  return [line(head), rule, ...rows.map(line)].join('\n')
}

/** Who fell out of the race and why; empty when nobody did. */
export function listFailed(failed: readonly Failed[]): string {
  return failed.map(({ name, reason }) => `- ${name} failed: ${reason}`).join('\n')
}

/** Parts of a report with an empty line between them; empty parts are left out. */
export function joinParts(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n')
}
