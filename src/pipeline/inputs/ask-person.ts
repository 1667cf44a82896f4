import { BY_APPROVER } from '../../core/approval/approval-record.ts'
import type { InputAnswer, InputQuestion } from '../../core/input/input.ts'
import { CANCELLED, EXPIRY, NOBODY, readAnswer } from '../../core/input/read-answer.ts'
import { maskTokens } from '../../core/secrets/mask-secrets.ts'
import type { ContextCall } from '../context/call-programs.ts'
import type { Parts } from '../request.ts'
import { type GivenInput, giveInput, type InputPlace } from './give-input.ts'

/** What asking uses of the host. */
type AskParts = Pick<Parts, 'storage' | 'masker' | 'expireMinutes' | 'emit' | 'notify'>

/** Asks the person something in the name of a call: the approver of its caller where that takes questions, and every front end where somebody waits for one. Logs question and answer. Never rejects. */
export async function askPerson(
  { isResult, ...asked }: InputQuestion,
  call: ContextCall,
  parts: AskParts,
): Promise<InputAnswer> {
  const { approver, wait, session, id } = call
  const input = `i_${id}.${crypto.randomUUID().slice(0, 6)}`
  const question = maskTokens(asked, parts.masker)
  try {
    const after = await parts.storage.log.end()
    const openUntil = isResult && { openUntil: Date.now() + expiryOf(parts.expireMinutes) }
    parts.emit({ type: 'input-request', session, call: id, input, ...question, ...openUntil })
    const place = { session, call: id, input, after }
    if (approver?.input === undefined && !wait) return await endWithout(NOBODY, place, parts)
    await parts.storage.log.flush()
    return await waitForInput(question, { call, place, parts })
  } catch {
    return { answered: false, reason: 'the question could not be written to the log' }
  }
}

interface Waiting {
  readonly call: ContextCall
  readonly place: InputPlace
  readonly parts: AskParts
}

/** Waits for the first answer that is committed, whoever gives it in whatever process. */
async function waitForInput(question: InputQuestion, { call, place, parts }: Waiting): Promise<InputAnswer> {
  const { stop, approver } = call
  const done = new AbortController()
  const failed = Promise.withResolvers<never>()
  const give = (given: GivenInput) => void giveInput(place, given, parts).catch(failed.reject)
  const cancel = () => give({ answer: null, by: CANCELLED })
  const timer = setTimeout(() => give({ answer: null, by: EXPIRY }), expiryOf(parts.expireMinutes))
  stop.signal.addEventListener('abort', cancel, { once: true })
  if (stop.signal.aborted) cancel()
  approver?.input?.(question, done.signal).then(
    (answer) => {
      if (!done.signal.aborted) give({ answer: String(answer), by: approver.name ?? BY_APPROVER })
    },
    // One that broke gives no answer; without another interface nobody else can.
    () => {
      if (!call.wait && !done.signal.aborted) give({ answer: null, by: NOBODY })
    },
  )
  try {
    return await Promise.race([hearAnswer(place, parts, done.signal), failed.promise])
  } finally {
    done.abort()
    clearTimeout(timer)
    stop.signal.removeEventListener('abort', cancel)
  }
}

/** The longest time a timer can be set to, in milliseconds. */
const LONGEST = 2 ** 31 - 1

function expiryOf(minutes: number): number {
  return Math.min(Math.ceil(minutes * 60_000), LONGEST)
}

async function hearAnswer({ session, input, after }: InputPlace, parts: AskParts, signal: AbortSignal) {
  for await (const event of parts.storage.log.follow({ session, after, signal }))
    if (event.type === 'input-answer' && event.input === input) return readAnswer(event)
  return readAnswer({ answer: null, by: CANCELLED })
}

async function endWithout(by: string, { session, call, input }: InputPlace, { emit }: AskParts): Promise<InputAnswer> {
  emit({ type: 'input-answer', session, call, input, answer: null, by })
  return readAnswer({ answer: null, by })
}
