import type { EventBody } from '../session/event.ts'
import type { Message } from '../session/message.ts'
import { maskKnown, maskSecrets, maskTokens } from './mask-secrets.ts'
import { FORMS_ONLY, type Masker } from './masker.ts'

/** Masks the secrets of an event before it reaches the log and the front ends. Returns the same object if it has none. */
export type EventMask = (body: EventBody) => EventBody

/**
 * Masks by field: arguments by the name of a member and by the form of a secret, everything else a tool, a model or a person wrote
 * only by the form of a token, by the person's own patterns and by the values of .env files. The secrets in a call's arguments are remembered until it ends,
 * and masked where its later events repeat them. Pieces of a stream come masked already (`MaskedStream`): a token may be cut in two there.
 */
export function createEventMask(masker: Masker = FORMS_ONLY): EventMask {
  const secretsOf = new Map<string, readonly string[]>()
  /** Returns the secrets of the call that an event belongs to; forgets them at its end. */
  const takeKnown = (body: EventBody): readonly string[] | undefined => {
    if (!('call' in body)) return undefined
    const key = keyOf(body)
    const known = secretsOf.get(key)
    if (known && body.type === 'call-end') secretsOf.delete(key)
    return known
  }
  const keep = (body: EventBody, secrets: readonly string[]): void => {
    if (secrets.length === 0 || !('call' in body)) return
    secretsOf.set(keyOf(body), [...new Set([...(secretsOf.get(keyOf(body)) ?? []), ...secrets])])
  }
  const maskGiven = (body: EventBody, given: EventBody): EventBody => {
    const { body: masked, secrets } = maskArguments(body, masker)
    keep(given, secrets)
    return masked
  }
  return (given) => {
    const known = secretsOf.size === 0 ? undefined : takeKnown(given)
    const body = known ? maskKnown(given, known, masker) : given
    switch (body.type) {
      // The most frequent ones first: the cases are compared one after the other (gate 1b).
      case 'call-end':
        return maskResult(body, masker)
      case 'call-start':
      case 'approval-request':
      case 'approval-answer':
        return maskGiven(body, given)
      case 'call-judged':
      case 'call-run':
        return body.arguments === undefined ? body : maskGiven(body, given)
      // These hold no text of a tool, a model or a person, or come masked already.
      case 'call-delta':
      case 'message-delta':
      case 'call-progress':
      case 'call-cancel':
      case 'call-background':
      case 'task-start':
      case 'task-cancel':
      case 'task-end':
      case 'session-start':
      case 'session-delete':
      case 'run-start':
      case 'run-stop':
      case 'model-call':
      case 'tools-changed':
        return body
      default:
        return maskTexts(body, masker)
    }
  }
}

function keyOf({ session, call }: { readonly session: string; readonly call: string }): string {
  return `${session}\n${call}`
}

function maskResult(body: Extract<EventBody, { type: 'call-end' }>, masker: Masker): EventBody {
  const result = maskTokens(body.result, masker)
  return result === body.result ? body : { ...body, result }
}

/** Masks tokens in text of a tool, a model or a person. Opaque data of a provider is not changed. */
function maskTexts(body: EventBody, masker: Masker): EventBody {
  if (body.type === 'run-end') {
    const summary = body.summary && maskTokens(body.summary, masker)
    return summary === body.summary ? body : { ...body, ...(summary !== undefined && { summary }) }
  }
  if (body.type !== 'message') return maskTokens(body, masker)
  const called = body.calls && maskCalls(body.calls, masker)
  if (called === body.calls && isClean(body, masker)) return body
  const { wire, calls: _, ...texts } = body
  const masked = maskTokens(texts, masker)
  return { ...masked, ...(called && { calls: called }), ...(wire !== undefined && { wire }) }
}

/** The members of a message that a person or a model wrote, beside its calls. A new member of `Message` must be named here or left out on purpose. */
const TEXTS = Object.keys({ content: true, reasoning: true, attachments: true } satisfies Record<
  Exclude<keyof Message, 'role' | 'calls' | 'isNotice' | 'wire'>,
  true
>) as readonly ('content' | 'reasoning' | 'attachments')[]

/** True if a message has no token outside its calls. Makes no object, since most messages have none (gate 1c). */
function isClean(message: Message, masker: Masker): boolean {
  for (const key of TEXTS) {
    const value = message[key]
    if (value !== undefined && maskTokens(value, masker) !== value) return false
  }
  return true
}

function maskCalls(calls: Required<Message>['calls'], masker: Masker): Required<Message>['calls'] {
  const masked = calls.map((call) => {
    const { value } = maskSecrets(call.arguments, masker)
    return value === call.arguments ? call : { ...call, arguments: value }
  })
  return masked.some((call, i) => call !== calls[i]) ? masked : calls
}

interface MaskedBody {
  readonly body: EventBody
  readonly secrets: readonly string[]
}

/** Masks arguments, and previews that were made from them. */
function maskArguments(body: EventBody, masker: Masker): MaskedBody {
  if (body.type === 'call-start' || body.type === 'call-judged' || body.type === 'call-run') {
    const { value, secrets } = maskSecrets(body.arguments, masker)
    return { body: value === body.arguments ? body : { ...body, arguments: value }, secrets }
  }
  if (body.type === 'approval-request') {
    const { arguments: given, effects, reason, preview } = body
    const shown = { arguments: given, effects, reason, ...(preview && { preview }) }
    const { value, secrets } = maskSecrets(shown, masker)
    return { body: value === shown ? body : { ...body, ...value }, secrets }
  }
  if (body.type === 'approval-answer' && body.reply.approved && 'modifiedArgs' in body.reply) {
    const { value, secrets } = maskSecrets(body.reply.modifiedArgs, masker)
    const same = value === body.reply.modifiedArgs
    return { body: same ? body : { ...body, reply: { ...body.reply, modifiedArgs: value } }, secrets }
  }
  return { body, secrets: [] }
}
