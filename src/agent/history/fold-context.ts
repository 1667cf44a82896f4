import { type Model, ModelError, type ModelMessage, type ToolDefinition } from '../../core/ports/model.ts'
import type { OutputStore } from '../../core/ports/output-store.ts'
import type { EventBody } from '../../core/session/event.ts'
import { countToolTokens } from './count-tokens.ts'
import type { History } from './history.ts'

/** How much of a model's window may be used before something is folded. */
const FULL = 0.8
/** The window of a model that does not say, in tokens. */
export const DEFAULT_WINDOW = 32_768
/** The last turns, which are never folded. */
const KEPT_TURNS = 4

/** What folding needs. */
export interface FoldParts {
  readonly session: string
  readonly history: History
  readonly model: Model
  readonly tools: readonly ToolDefinition[]
  /** The tokens of the model's window. */
  readonly window: number
  readonly signal: AbortSignal
  readonly outputs: Pick<OutputStore, 'keep'>
  /** Appends an event; resolves once the history has it. */
  append(body: EventBody): Promise<void>
}

/** Folds what is old, where the request would fill the model's window: first outputs of calls, then turns, for which the model writes a summary. */
export async function foldContext(parts: FoldParts): Promise<void> {
  await foldOutputs(parts)
  if (isFull(parts.history, parts)) await foldTurns(parts)
}

/** True if the request would fill the model's window. */
export function isFull(history: History, { tools, window }: Pick<FoldParts, 'tools' | 'window'>): boolean {
  return history.countTokens() + countToolTokens(tools) > window * FULL
}

/** The entries that may be folded: all but the last turns. A turn begins with a message of the model. */
function oldEntries({ history }: FoldParts) {
  const entries = history.foldable()
  let turns = 0
  let end = entries.length
  for (; end > 0 && turns < KEPT_TURNS; end--) if (entries[end - 1]?.isReply) turns++
  return entries.slice(0, end)
}

async function foldOutputs(parts: FoldParts): Promise<void> {
  const old = oldEntries(parts)
  const calls = old.flatMap((entry) => entry.calls).filter((call) => parts.history.isOutputShown(call))
  const upTo = old.at(-1)?.event
  if (upTo === undefined || calls.length === 0) return
  for (const call of calls) {
    const result = parts.history.resultOf(call)
    if (result) await parts.outputs.keep(call, result.text)
  }
  await parts.append({ type: 'context-folded', session: parts.session, upTo, outputs: calls })
}

async function foldTurns(parts: FoldParts): Promise<void> {
  const old = oldEntries(parts)
  const upTo = old.at(-1)?.event
  if (upTo === undefined) return
  // Without a new summary the one before stays: it is all that is known of what it replaced.
  const summary = (await askForSummary(parts)) ?? [parts.history.summary, BY_RULE].filter(Boolean).join('\n\n')
  await parts.append({ type: 'context-folded', session: parts.session, upTo, summary })
}

const REQUEST = `The conversation is about to outgrow your context. Write a summary for yourself that lets you go on without the earlier messages: the task and its constraints, what was done and found (with file names and values that matter), what is still open, and the next step. Write only the summary.`

const BY_RULE = '[Earlier messages were left out to save room. Look at the files and the to-do list for what was done.]'

/** The model's own summary; undefined where it gives none, and then turns are folded without one. */
async function askForSummary({ model, history, signal }: FoldParts): Promise<string | undefined> {
  const messages: ModelMessage[] = [...history.messages(), { role: 'user', content: REQUEST }]
  try {
    for await (const part of model.stream({ messages, tools: [], signal }))
      if (part.type === 'reply' && part.reply.text.trim() !== '')
        return `[Summary of the earlier messages]\n${part.reply.text}`
  } catch (thrown) {
    if (!(thrown instanceof ModelError)) throw thrown
  }
  return undefined
}
