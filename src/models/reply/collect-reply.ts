import { ModelError, type ModelPart, type ModelReply } from '../../core/ports/model.ts'
import { type CallCollector, type CollectedCalls, createCallCollector, sizeOf } from './collect-calls.ts'
import type { ReportedUsage } from './count-usage.ts'

/** The most characters of a reply: text, reasoning and arguments together. */
export const MAX_REPLY = 16_000_000

/** How a reply ended, as the server reported it; `end` where its protocol has one word for answers and calls. */
export type ReportedFinish = 'stop' | 'calls' | 'length' | 'end'

/** A reply while it arrives, whatever protocol it arrives by. */
export interface ReplyCollector {
  readonly calls: CallCollector
  /** What the server reported of tokens so far. */
  usage: ReportedUsage
  /** How the reply ended; undefined until the server reports it. */
  finish: ReportedFinish | undefined
  /** The part to hand on, or undefined where there is nothing in it. Throws ModelError where the reply becomes too long. */
  add(type: 'text' | 'reasoning', text: unknown): ModelPart | undefined
  /** Opaque data of the message that goes back with it; readers of a protocol add to it, and count what they add. */
  readonly opaque: Record<string, unknown>
  /** Counts opaque data towards the length of the reply. */
  count(added: unknown): void
  /** Remembers something irregular, once. */
  note(repair: string): void
  /** The reply so far, without its tokens. */
  read(): CollectedReply
}

/** A reply without what is counted or added afterwards. */
export interface CollectedReply extends Omit<ModelReply, 'usage' | 'wire'> {
  /** What goes back with the message byte for byte, with that of its calls as `calls`; undefined where there is nothing. */
  readonly opaque?: Readonly<Record<string, unknown>>
}

/** Collects a reply. */
export function createReplyCollector(): ReplyCollector {
  const texts = { text: '', reasoning: '' }
  const repairs = new Set<string>()
  let counted = 0
  const calls = createCallCollector()
  const collector: ReplyCollector = {
    calls,
    usage: {},
    finish: undefined,
    opaque: {},
    count(added) {
      counted += sizeOf(added)
    },
    add(type, text) {
      if (texts.text.length + texts.reasoning.length + calls.size + counted > MAX_REPLY)
        throw new ModelError(`The reply is longer than ${MAX_REPLY} characters. Haft stopped reading it.`)
      if (typeof text !== 'string' || text === '') return undefined
      texts[type] += text
      return { type, text }
    },
    note: (repair) => void repairs.add(repair),
    read() {
      const collected = calls.finish((repair) => repairs.add(repair))
      const hasCalls = collected.calls.length > 0
      const opaque = { ...collector.opaque, ...callsOpaque(collected) }
      if (!hasCalls && collector.finish === 'calls')
        repairs.add('The reply was marked as calling tools but has no call.')
      if (hasCalls && collector.finish === 'stop')
        repairs.add('The reply was marked as finished although it has calls.')
      const finish = collector.finish === 'length' ? 'length' : hasCalls ? 'calls' : 'stop'
      const { text, reasoning } = texts
      return {
        text,
        ...(reasoning !== '' && { reasoning }),
        calls: collected.calls,
        finish,
        repairs: [...repairs],
        ...(Object.keys(opaque).length > 0 && { opaque }),
      }
    },
  }
  return collector
}

/** Opaque data of calls, by position; JSON has no undefined. */
function callsOpaque({ extras }: CollectedCalls): { calls?: unknown } {
  return extras.some((one) => one !== undefined) ? { calls: extras.map((one) => one ?? null) } : {}
}
