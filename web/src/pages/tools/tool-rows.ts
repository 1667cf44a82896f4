import type { ToolDescription, ToolListing } from '../../../../src/core/tool/describe-tool.ts'
import type { Skipped } from '../../../../src/core/tool/snapshot.ts'

/** A row of the list: a heading, a file that was not loaded, or a tool. */
export type ToolRow =
  | {
      readonly kind: 'heading'
      readonly key: string
      readonly title: string
      readonly count: number
      readonly isFile: boolean
      readonly isBad: boolean
    }
  | { readonly kind: 'skipped'; readonly key: string; readonly skipped: Skipped }
  | { readonly kind: 'tool'; readonly key: string; readonly tool: ToolDescription }

/** The name of the group that a tool stands in: its file or server, or what all built-in tools share. */
function groupOf({ origin, source }: ToolDescription): string {
  if (origin === 'built-in') return 'Built in'
  return origin === 'mcp' ? `MCP server ${source.replace(/^mcp[: ]/, '')}` : source
}

/** Lists what was skipped, then the tools by where they come from, the built-in ones last; every word of the filter must match. */
export function toolRows({ tools, skipped }: ToolListing, filter: string): readonly ToolRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  const left = skipped.filter(({ source, reason }) => fits(`${source} ${reason} skipped`))
  const shown = tools.filter(({ name, description, source, effect, origin }) =>
    fits(`${name} ${description} ${source} ${effect} ${origin}`),
  )
  const groups = Map.groupBy(shown, groupOf)
  const order = [...groups.keys()].sort((a, b) =>
    a === 'Built in' || b === 'Built in' ? (a === 'Built in' ? 1 : -1) : a.localeCompare(b, 'en'),
  )
  return [
    ...(left.length === 0 ? [] : [heading('Skipped', left.length, { isBad: true })]),
    ...left.map(
      (one): ToolRow => ({ kind: 'skipped', key: `skipped ${one.source} ${one.line} ${one.reason}`, skipped: one }),
    ),
    ...order.flatMap((group) => {
      const own = groups.get(group) ?? []
      return [
        heading(group, own.length, { isFile: /[/\\]/.test(group) }),
        ...own.map((tool): ToolRow => ({ kind: 'tool', key: `tool ${tool.name}`, tool })),
      ]
    }),
  ]
}

function heading(title: string, count: number, { isFile = false, isBad = false }): ToolRow {
  return { kind: 'heading', key: `heading ${title}`, title, count, isFile, isBad }
}
