import type { EventBody } from './event.ts'
import { maskKnown, maskSecrets } from './mask-secrets.ts'

/** Masks the secrets of an event on its way into the log and to the faces; the same object when it has none. */
export type EventMask = (body: EventBody) => EventBody

/** A mask that remembers the secrets in a call's arguments until the call ends, and masks them where its later events repeat them. */
export function createEventMask(patterns: readonly RegExp[] = []): EventMask {
  const secretsOf = new Map<string, readonly string[]>()
  return (body) => {
    if (!('call' in body) || (secretsOf.size === 0 && !hasArguments(body))) return body
    const known = secretsOf.size === 0 ? undefined : secretsOf.get(keyOf(body))
    if (body.type === 'call-end' && known) secretsOf.delete(keyOf(body))
    const plain = known ? maskKnown(body, known) : body
    if (!hasArguments(plain)) return plain
    const { body: masked, secrets } = maskArguments(plain, patterns)
    if (secrets.length > 0) secretsOf.set(keyOf(body), known ? [...new Set([...known, ...secrets])] : secrets)
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

interface MaskedBody {
  readonly body: EventBody
  readonly secrets: readonly string[]
}

/** Masks what came in as arguments, and what was made of them for the person's eyes. */
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
