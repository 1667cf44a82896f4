import { shownPath } from '../text/paths.ts'
import { explainSystemError } from '../text/system-errors.ts'
import type { ErrorCode } from './codes.ts'

/** A call that worked: `text` is for the model, `data` for programs. */
export interface Success<Data = unknown> {
  readonly ok: true
  readonly text: string
  /** The text without the output that the call has streamed as deltas: what is left to show to someone who saw those. Absent where the text repeats nothing that was streamed. */
  readonly frame?: string
  readonly data: Data
}

/** A call that did not: `text` says what was wrong, what was expected and who refused. */
export interface Failure {
  readonly ok: false
  readonly code: ErrorCode
  readonly text: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly retryable?: boolean
}

/** How every call ends. */
export type Result<Data = unknown> = Success<Data> | Failure

/** What a failure may hold beside its code and text. */
export interface FailureExtras {
  details?: Readonly<Record<string, unknown>>
  retryable?: boolean
}

/** Makes a failure value; the rooms return these, they do not throw them. */
export function failure(code: ErrorCode, text: string, extras: FailureExtras = {}): Failure {
  return { ok: false, code, text, ...extras }
}

/** Tells a failure from anything else that a stage may pass on. */
export function isFailure(value: unknown): value is Failure {
  // Without `'ok' in value`: every stage's outcome is looked at so, and a second lookup doubles the cost (gate 1b).
  return typeof value === 'object' && value !== null && (value as { readonly ok?: unknown }).ok === false
}

/** What a tool throws to fail with a code of ours; anything else thrown becomes EXECUTION_ERROR. */
export class ToolError extends Error {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly retryable: boolean | undefined

  constructor(code: ErrorCode, text: string, extras: FailureExtras = {}) {
    super(text)
    this.name = 'ToolError'
    this.code = code
    this.details = extras.details
    this.retryable = extras.retryable
  }
}

/** Turns anything thrown into a failure value; never throws itself. */
export function failureOf(thrown: unknown): Failure {
  if (isToolError(thrown)) {
    return failure(thrown.code, thrown.message, {
      ...(thrown.details && { details: thrown.details }),
      ...(thrown.retryable !== undefined && { retryable: thrown.retryable }),
    })
  }
  const explained = explainSystemError(thrown)
  if (explained === undefined) return failure('EXECUTION_ERROR', messageOf(thrown))
  const { code, path, words } = explained
  const text = `${path === undefined ? 'A file' : shownPath(path)} ${words} (refused by the system).`
  return failure(code, text, path === undefined ? {} : { details: { path } })
}

/** A proxy may throw when it is asked what it is. */
function isToolError(thrown: unknown): thrown is ToolError {
  try {
    return thrown instanceof ToolError
  } catch {
    return false
  }
}

/** The words of anything thrown, be it an Error, a string or an object that cannot be printed; a system error in plain words. */
export function messageOf(thrown: unknown): string {
  try {
    const explained = explainSystemError(thrown)
    if (explained) return `${explained.path === undefined ? 'a file' : shownPath(explained.path)} ${explained.words}`
    if (thrown instanceof Error) return String(thrown.message === '' ? thrown.name : thrown.message)
    return typeof thrown === 'string' ? thrown : (JSON.stringify(thrown) ?? String(thrown))
  } catch {
    return 'a value that cannot be shown was thrown'
  }
}

/** Why something thrown was thrown, for a sentence that names the file itself. */
export function reasonOf(thrown: unknown): string {
  const words = explainSystemError(thrown)?.words
  if (words === undefined) return messageOf(thrown)
  const colon = words.indexOf(': ')
  return colon < 0 ? `it ${words}` : words.slice(colon + 2)
}

const TEXT = Symbol('text')

/** A piece of a result's text: the tool's own words, or output that its call has streamed as deltas. */
export type TextPart = string | { readonly streamed: string }

/** What a tool returns when the model should read other words than the data as JSON. */
export interface Answer<Data = unknown> {
  readonly [TEXT]: true
  readonly text: string
  /** See `Success`. */
  readonly frame?: string
  readonly data: Data
}

/** Pairs data with the words the model reads: a text, or the parts of one, each on a line of its own. */
export function answer<Data>(text: string | readonly TextPart[], data: Data): Answer<Data> {
  return isParts(text) ? { [TEXT]: true, ...composeText(text), data } : { [TEXT]: true, text, data }
}

/** Only a list is parts: what a tool without types gives in place of a text is made one later. */
function isParts(text: string | readonly TextPart[]): text is readonly TextPart[] {
  return Array.isArray(text)
}

function composeText(parts: readonly TextPart[]): Pick<Answer, 'text' | 'frame'> {
  const texts = parts.map((part) => (typeof part === 'string' ? part : part.streamed))
  const text = joinLines(texts)
  const frame = joinLines(parts.filter((part) => typeof part === 'string'))
  return frame === text ? { text } : { text, frame }
}

function joinLines(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n')
}

/** True for what `answer` made. */
export function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && TEXT in value
}
