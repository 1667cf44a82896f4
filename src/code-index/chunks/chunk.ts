/** A piece of a file that is found as a whole. Lines count from 1. */
export interface Chunk {
  readonly line: number
  readonly endLine: number
  /** Name of the function or class; empty for other lines. */
  readonly name: string
  /** Its first line, which says more than the rest. */
  readonly head: string
  readonly comments: string
  readonly body: string
}

/** How many lines a piece without syntax has. */
const LINES = 40

/** Cuts lines into pieces of equal length. */
export function chunkLines(lines: readonly string[], from = 1, to = lines.length): Chunk[] {
  const chunks: Chunk[] = []
  for (let line = from; line <= to; line += LINES) {
    const endLine = Math.min(line + LINES - 1, to)
    const body = lines.slice(line - 1, endLine).join('\n')
    if (body.trim() !== '') chunks.push({ line, endLine, name: '', head: '', comments: '', body })
  }
  return chunks
}
