/** How reasoning is marked. */
export interface ReasoningMarks {
  readonly open: string
  readonly close: string
}

/** The marks of reasoning that models print into their text. */
export const REASONING: readonly ReasoningMarks[] = [
  ...[
    'think',
    'thinking',
    'thought',
    'reasoning',
    'reflection',
    'scratchpad',
    'scratch_pad',
    'longcat_think',
    'seed:think',
  ]
    .flatMap((name) => [name, name.toUpperCase(), `${name[0]?.toUpperCase()}${name.slice(1)}`])
    .map((name) => ({ open: `<${name}>`, close: `</${name}>` })),
  { open: '<antThinking>', close: '</antThinking>' },
  { open: '[THINK]', close: '[/THINK]' },
  { open: '<|START_THINKING|>', close: '<|END_THINKING|>' },
  { open: '<|begin_of_thought|>', close: '<|end_of_thought|>' },
  { open: '◁think▷', close: '◁/think▷' },
  { open: '<|channel>thought', close: '<channel|>' },
  { open: '<seed:cot_budget_reflect>', close: '</seed:cot_budget_reflect>' },
]

const BY_OPEN = new Map(REASONING.map((marks) => [marks.open, marks]))
const BY_CLOSE = new Map(REASONING.map((marks) => [marks.close, marks]))

export function reasoningOpenedBy(token: string): ReasoningMarks | undefined {
  return BY_OPEN.get(token)
}

export function reasoningClosedBy(token: string): ReasoningMarks | undefined {
  return BY_CLOSE.get(token)
}

/** Words between two marks that are mentioned as a pair. */
const PAIR = /^[ \t`"']*(?:and|or|und|oder|et|ou|y|e|и|和|\.\.\.|…)?[ \t`"']*$/u

/** True where a mark is a word of a sentence: prose stands before it on its line, and the sentence goes on after it. */
export function isMention(text: string, at: number, mark: string): boolean {
  const before = text.slice(Math.max(0, at - 200), at)
  const after = text.slice(at + mark.length, at + mark.length + 2)
  return (
    /[\p{L}\p{N},;:)("'“][ \t]?["'“(]?$/u.test(before) && /^(?:[ \t][\p{Ll}(]|["'”)]|[.,;:!?](?:\s|$))/u.test(after)
  )
}

/** True for `<think> and </think>` in a sentence, which holds no reasoning. */
export function isPairMention(inside: string): boolean {
  return inside.length < 20 && PAIR.test(inside)
}

const ANY_MARK = new RegExp(
  REASONING.flatMap(({ open, close }) => [open, close])
    .toSorted((a, b) => b.length - a.length)
    .map((mark) => mark.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('|'),
)

/**
 * Returns where reasoning ends inside code that it left open: the first mark there is a closing one at the beginning of a line.
 * Code about such marks holds the opening one too.
 */
export function findReasoningEnd(text: string, from: number, to: number): number | undefined {
  const code = text.slice(from, to)
  const mark = ANY_MARK.exec(code)
  if (mark === null || !BY_CLOSE.has(mark[0])) return undefined
  const before = code.slice(Math.max(0, mark.index - 100), mark.index)
  return /(?:^|\n)[ \t]*$/.test(before) ? from + mark.index : undefined
}
