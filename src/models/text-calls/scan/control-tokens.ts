import { matchAt, skipSpace } from '../literals/reading.ts'

/** Tokens that end a message or a turn and that servers let through. */
export const END_TOKENS: readonly string[] = [
  '<|im_end|>',
  '<|eot_id|>',
  '<|eom_id|>',
  '<|eot|>',
  '<|eom|>',
  '<|end|>',
  '<|return|>',
  '<|call|>',
  '<|stop|>',
  '<|endoftext|>',
  '<|end_of_text|>',
  '<｜end▁of▁sentence｜>',
  '<|end▁of▁sentence|>',
  '<|end_of_sentence|>',
  '<|END_OF_TURN_TOKEN|>',
  '<|END_RESPONSE|>',
  '<|END_TEXT|>',
  '<end_of_turn>',
  '<turn|>',
  '<eos>',
  '</s>',
  '[EOS]',
  '[|endofturn|]',
  '<|user|>',
  '<|observation|>',
]
/** Tokens that begin the visible answer. */
export const BEGIN_TOKENS: readonly string[] = [
  '<|START_RESPONSE|>',
  '<|START_TEXT|>',
  '<s>',
  '<bos>',
  '<|begin_of_text|>',
]
/** Tokens that begin the header of a turn; the role follows. */
export const HEADER_TOKENS: readonly string[] = [
  '<|start_header_id|>',
  '<|header_start|>',
  '<|im_start|>',
  '<|start_of_role|>',
  '<start_of_turn>',
  '<|turn>',
  '<|assistant|>',
  '[|assistant|]',
]

const ROLE = /[ \t]{0,4}(\w{0,20})(?:<\|(?:end_header_id|header_end|end_of_role|im_sep)\|>)?/y

/** A header of a turn: whose turn, and where the header ends. */
export interface TurnHeader {
  readonly isAssistant: boolean
  readonly end: number
}

/** Reads the header that begins with a token; undefined where no role follows. */
export function readTurnHeader(text: string, at: number, token: string): TurnHeader | undefined {
  const after = at + token.length
  if (token.includes('assistant')) return { isAssistant: true, end: after }
  const role = matchAt(ROLE, text, after)
  if (role === undefined || role[1] === '') return undefined
  return { isAssistant: ['assistant', 'model'].includes(role[1] ?? ''), end: after + role[0].length }
}

/** What an end token at a place means: it ends the message, or is mentioned in it; `unknown` until more has arrived. */
export function isMessageEnd(text: string, after: number, isFinal: boolean): boolean | 'unknown' {
  const next = skipSpace(text, after)
  if (next >= text.length) return isFinal ? true : 'unknown'
  if (ALL.some((token) => text.startsWith(token, next))) return true
  return !isFinal && ALL.some((token) => token.startsWith(text.slice(next, next + token.length))) ? 'unknown' : false
}

const ALL = [...END_TOKENS, ...HEADER_TOKENS, '<|start|>', '<|channel|>']
