import type { FoundTool } from './context.ts'
import { isControl, type RegisteredTool, type Snapshot } from './snapshot.ts'

/** The most tools that one search gives. */
const MAX_FOUND = 10

/** Finds tools by words of their names and descriptions, the best first. Control tools are offered always, so they are never found. */
export function searchTools({ tools }: Pick<Snapshot, 'tools'>, query: string): readonly FoundTool[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])]
  return tools
    .filter((entry) => !isControl(entry))
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_FOUND)
    .map(({ entry: { wireName, tool } }) => ({ name: wireName, description: tool.description }))
}

/** A word of the name counts most, then a part of the name, then the description. */
function scoreOf({ tool, wireName }: RegisteredTool, words: readonly string[]): number {
  const name = `${tool.name} ${wireName}`.toLowerCase()
  const parts = new Set(name.match(/[\p{L}\p{N}]+/gu) ?? [])
  const description = tool.description.toLowerCase()
  let score = 0
  for (const word of words) {
    if (parts.has(word)) score += 4
    else if (name.includes(word)) score += 3
    if (description.includes(word)) score += 1
  }
  return score
}
