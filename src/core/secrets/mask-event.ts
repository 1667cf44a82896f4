import type { EventBody } from '../session/event.ts'
import type { Message } from '../session/message.ts'
import { maskKnown, maskSecrets, maskTokens } from './mask-secrets.ts'

/** Masks the secrets of an event before it reaches the log and the front ends. Returns the same object if it has none. */
export type EventMask = (body: EventBody) => EventBody

/** Members of events that contain no text of a tool, a model or a person. */
const PLAIN: ReadonlySet<EventBody['type']> = new Set([
  'call-progress',
  'task-start',
  'task-cancel',
  'task-end',
  'session-start',
  'session-delete',
  'run-start',
  'run-stop',
  'model-call',
  'tools-changed',
])

/**
 * Masks by field: arguments by the name of a member and by the form of a secret, everything else a tool, a model or a person wrote
 * only by the form of a token and by the person's own patterns. The secrets in a call's arguments are remembered until it ends,
 * and masked where its later events repeat them. Pieces of a stream come masked already (`MaskedStream`): a token may be cut in two there.
 */
export function createEventMask(patterns: readonly RegExp[] = []): EventMask {
  const secretsOf = new Map<string, readonly string[]>()
  return (body) => {
    const key = 'call' in body && secretsOf.size > 0 ? keyOf(body) : undefined
    const known = key === undefined ? undefined : secretsOf.get(key)
    if (key !== undefined && known && body.type === 'call-end') secretsOf.delete(key)
    const plain = known ? maskKnown(body, known) : body
    if (PLAIN.has(plain.type)) return plain
    if (!hasArguments(plain)) return maskTexts(plain, patterns)
    const { body: masked, secrets } = maskArguments(plain, patterns)
    if (secrets.length > 0 && 'call' in body)
      secretsOf.set(keyOf(body), known ? [...new Set([...known, ...secrets])] : secrets)
    return masked
  }
}

const HAS_ARGUMENTS: ReadonlySet<string> = new Set(['call-start', 'approval-request', 'approval-answer'])
const MAY_HAVE_ARGUMENTS: ReadonlySet<string> = new Set(['call-judged', 'call-run'])

function hasArguments(body: EventBody): boolean {
  return HAS_ARGUMENTS.has(body.type) || (MAY_HAVE_ARGUMENTS.has(body.type) && 'arguments' in body)
}

function keyOf({ session, call }: { readonly session: string; readonly call: string }): string {
  return `${session}\n${call}`
}

/** Masks tokens in text of a tool, a model or a person. Opaque data of a provider is not changed. */
function maskTexts(body: EventBody, patterns: readonly RegExp[]): EventBody {
  if (
    body.type === 'call-delta' ||
    body.type === 'message-delta' ||
    body.type === 'call-run' ||
    body.type === 'call-judged'
  )
    return body
  if (body.type === 'call-end') {
    const result = maskTokens(body.result, patterns)
    return result === body.result ? body : { ...body, result }
  }
  if (body.type !== 'message') return maskTokens(body, patterns)
  const { wire, calls, ...texts } = body
  const masked = maskTokens(texts, patterns)
  const called = calls && maskCalls(calls, patterns)
  if (masked === texts && called === calls) return body
  return { ...masked, ...(called && { calls: called }), ...(wire !== undefined && { wire }) }
}

function maskCalls(calls: Required<Message>['calls'], patterns: readonly RegExp[]): Required<Message>['calls'] {
  const masked = calls.map((call) => {
    const { value } = maskSecrets(call.arguments, patterns)
    return value === call.arguments ? call : { ...call, arguments: value }
  })
  return masked.some((call, i) => call !== calls[i]) ? masked : calls
}

interface MaskedBody {
  readonly body: EventBody
  readonly secrets: readonly string[]
}

/** Masks arguments, and previews that were made from them. */
function maskArguments(body: EventBody, patterns: readonly RegExp[]): MaskedBody {
  if (body.type === 'call-start' || body.type === 'call-judged' || body.type === 'call-run') {
    const { value, secrets } = maskSecrets(body.arguments, patterns)
    return { body: value === body.arguments ? body : { ...body, arguments: value }, secrets }
  }
  if (body.type === 'approval-request') {
    const { arguments: given, effects, reason, preview } = body
    const shown = { arguments: given, effects, reason, ...(preview && { preview }) }
    const { value, secrets } = maskSecrets(shown, patterns)
    return { body: value === shown ? body : { ...body, ...value }, secrets }
  }
  if (body.type === 'approval-answer' && body.reply.approved && 'modifiedArgs' in body.reply) {
    const { value, secrets } = maskSecrets(body.reply.modifiedArgs, patterns)
    const same = value === body.reply.modifiedArgs
    return { body: same ? body : { ...body, reply: { ...body.reply, modifiedArgs: value } }, secrets }
  }
  return { body, secrets: [] }
}
