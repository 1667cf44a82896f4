import type { ModelPrice } from '../../core/model-settings.ts'
import type { ModelReply, ModelRequest } from '../../core/ports/model.ts'
import type { Usage } from '../../core/session/event.ts'

/** Tokens as a server reported them. */
export interface ReportedUsage {
  readonly input?: number
  readonly output?: number
}

interface Counting {
  readonly reported: ReportedUsage
  readonly request: Pick<ModelRequest, 'messages' | 'tools'>
  readonly reply: Pick<ModelReply, 'text' | 'reasoning' | 'calls'>
  readonly price: ModelPrice | undefined
}

/** The tokens of a reply: as reported, else estimated, and what they cost where a price is set. */
export function countUsage({ reported, request, reply, price }: Counting): Usage {
  const isReported = reported.input !== undefined && reported.output !== undefined
  const input = reported.input ?? estimateTokens(requestText(request))
  const output =
    reported.output ?? estimateTokens(`${reply.text}${reply.reasoning ?? ''}${JSON.stringify(reply.calls)}`)
  const cost = price && (input * price.input + output * price.output) / 1_000_000
  return { input, output, ...(!isReported && { estimated: true }), ...(cost !== undefined && { cost }) }
}

/** About how many tokens a text takes: a token is about four bytes, in English as in Chinese. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4)
}

/**
 * True where a server that counts tokens as others do read far fewer than the definitions of the tools take: its prompt template has no place
 * for them, and they were dropped without a word. Judged only where they are most of the request: a token is two to six bytes, by language and model.
 */
export function lacksDefinitions({ input }: ReportedUsage, { messages, tools }: Counting['request']): boolean {
  if (input === undefined || tools.length === 0) return false
  const [rest, definitions] = [
    estimateTokens(requestText({ messages, tools: [] })),
    estimateTokens(JSON.stringify(tools)),
  ]
  return definitions > 3 * rest && input > 0.5 * rest && input < 1.3 * rest + 0.05 * definitions
}

/** What a model reads of a request; images are left out, since their bytes say nothing about their tokens. */
function requestText({ messages, tools }: Counting['request']): string {
  const texts = messages.map((message) => {
    const calls = 'calls' in message ? JSON.stringify(message.calls ?? []) : ''
    const attached = 'attachments' in message ? (message.attachments ?? []) : []
    return `${message.content}${calls}${attached.map(({ encoding, content }) => (encoding ? '' : content)).join('')}`
  })
  return `${texts.join('\n')}${tools.length > 0 ? JSON.stringify(tools) : ''}`
}

/** A count of tokens as a server may send it; undefined for anything else. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

/** The counts that a server reported, without those it left out. */
export function reportedUsage(input: unknown, output: unknown): ReportedUsage {
  const [read, written] = [countOf(input), countOf(output)]
  return { ...(read !== undefined && { input: read }), ...(written !== undefined && { output: written }) }
}
