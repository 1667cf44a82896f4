import type { ModelCall, ToolDefinition } from '../../core/ports/model.ts'
import { readBareForms } from './bare/read-bare-forms.ts'
import { offerTools } from './calls/offered-tools.ts'
import { openSource } from './families/family.ts'
import { openScan, startState } from './scan/scan.ts'
import { scanMessage } from './scan/scan-message.ts'
import { joinVisible } from './visible-pieces.ts'

/** What a reply says, read as text. */
export interface TextReading {
  /** In order. Names are wire names of offered tools. Arguments are objects. */
  readonly calls: readonly ModelCall[]
  /** What stays visible. */
  readonly text: string
  readonly reasoning?: string
  /** A call was cut off before its arguments were closed. */
  readonly isIncomplete: boolean
  /** Each reading and each repair, one plain sentence. */
  readonly repairs: readonly string[]
}

/**
 * Reads the calls that a model printed into its text, because its server did not parse them. Never throws.
 * A call runs in a family's own markup outside code and quotations, or when nothing else is in the message, or after a sentence
 * in which the assistant says that it acts now. A call that was cut off never runs.
 */
export function readTextCalls(text: string, tools: readonly ToolDefinition[]): TextReading {
  const source = openSource(text, offerTools(tools))
  const pieces: string[] = []
  const reasoning: string[] = []
  let calls: ModelCall[] = []
  let repairs: string[] = []
  let isIncomplete = false
  for (const segment of scanMessage(openScan(source, startState(), true))) {
    if (segment.kind === 'text') pieces.push(segment.text)
    else if (segment.kind === 'reasoning') {
      reasoning.push(segment.text)
      pieces.push('')
    } else if (segment.kind === 'calls') {
      calls.push(...segment.calls)
      pieces.push('')
      repairs.push(readSentence(segment.calls, segment.family), ...segment.repairs)
    } else if (segment.kind === 'reasoning-closed') {
      reasoning.push(...pieces.splice(0))
      calls = []
      repairs = []
    } else if (segment.kind === 'cut') {
      isIncomplete = true
      repairs.push(cutSentence(segment.family))
    } else repairs.push('Dropped what the model wrote in the name of somebody else after its own turn.')
  }
  const thoughts = reasoning.map((one) => one.trim()).filter((one) => one !== '')
  const kept = thoughts.length === 0 ? {} : { reasoning: thoughts.join('\n\n') }
  const visible = joinVisible(pieces)
  const bare = calls.length === 0 && !isIncomplete ? readBareForms(visible, source) : undefined
  if (bare === undefined) return { calls, text: visible, ...kept, isIncomplete, repairs }
  if (bare.calls.length > 0) repairs.push(readSentence(bare.calls, 'no markup'), ...bare.repairs)
  if (bare.isCut) repairs.push(cutSentence('no markup'))
  return { calls: bare.calls, text: bare.text, ...kept, isIncomplete: bare.isCut, repairs }
}

function readSentence(calls: readonly ModelCall[], family: string): string {
  const names = calls.map(({ name }) => name).join(', ')
  return `Read ${calls.length === 1 ? 'a call' : `${calls.length} calls`} printed as text (${family}): ${names}.`
}

function cutSentence(family: string): string {
  if (family === 'reasoning') return 'The reply ended inside its reasoning.'
  return `A call printed as text (${family}) was cut off and does not run.`
}
