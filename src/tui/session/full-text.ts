import { mainArgument, outputOf } from '../../core/terminal/call-facts.ts'
import { flowLines } from '../../core/terminal/flow-text.ts'
import { wrapInside } from '../../core/terminal/request-lines.ts'
import { styleOfDiff } from '../../core/terminal/style.ts'
import type { FullText } from '../layers/viewer.ts'
import type { ToolFacts } from './item-rows.ts'
import type { SessionFeed } from './session-feed.ts'

/** Returns what the last call has printed; undefined where none has. */
export function lastOutput(feed: SessionFeed, { mainOf }: ToolFacts): FullText | undefined {
  const { lastCall } = feed
  if (lastCall === undefined) return undefined
  const { name, arguments: given, call, result } = lastCall
  return {
    title: `${name.replace(/^mcp_/, '')} ${mainArgument(given, mainOf(name))}`,
    isFollowing: result === undefined,
    rows({ paint, columns }) {
      const now = feed.lastCall?.call === call ? feed.lastCall : lastCall
      const { text, isDiff, problem } = outputOf(now)
      const lines = [text, problem]
        .map((part) => part.trimEnd())
        .filter(Boolean)
        .join('\n')
        .split('\n')
      return lines.flatMap((line) =>
        wrapInside(line, columns - 2).map((row) => `  ${paint(isDiff ? styleOfDiff(line) : 'reset', row)}`),
      )
    },
  }
}

/** Returns what the model thought last; undefined where it did not. */
export function lastThought(feed: SessionFeed): FullText | undefined {
  if (feed.lastThought.trim() === '') return undefined
  return {
    title: 'Thought',
    isFollowing: false,
    rows: ({ columns }) => flowLines(feed.lastThought, columns),
  }
}
