import { shownPath } from '../text/paths.ts'
import { explainSystemError } from '../text/system-errors.ts'
import type { ErrorCode } from './codes.ts'

/** A call that worked: `text` is for the model, `data` for programs. */
export interface Success<Data = unknown> {
  readonly ok: true
  readonly text: string
  /** The text without the output that was already streamed as deltas, for front ends that have shown those. Absent if nothing in the text was streamed. */
  readonly frame?: string
  readonly data: Data
}

/** A call that failed: `text` says what was wrong, what was expected and who refused. */
export interface Failure {
  readonly ok: false
  readonly code: ErrorCode
  readonly text: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly retryable?: boolean
}

/** How every call ends. */
export type Result<Data = unknown> = Success<Data> | Failure

/** The optional members of a failure. */
export interface FailureExtras {
  details?: Readonly<Record<string, unknown>>
  retryable?: boolean
}

/** Makes a failure value. Stages return failures and do not throw them. */
export function failure(code: ErrorCode, text: string, extras: FailureExtras = {}): Failure {
  return { ok: false, code, text, ...extras }
}

/** True for a failure, false for anything else that a stage may return. */
export function isFailure(value: unknown): value is Failure {
  // Without `'ok' in value`: this runs for the outcome of every stage, and a second lookup doubles its cost (gate 1b).
  return typeof value === 'object' && value !== null && (value as { readonly ok?: unknown }).ok === false
}

/** Thrown by a tool to fail with one of Haft's codes. Anything else that a tool throws becomes EXECUTION_ERROR. */
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

/** Turns any thrown value into a failure. Never throws. */
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

/** Guarded, because `instanceof` on a proxy may throw. */
function isToolError(thrown: unknown): thrown is ToolError {
  try {
    return thrown instanceof ToolError
  } catch {
    return false
  }
}

/** Returns the message of any thrown value: an Error, a string, or an object that cannot be printed. System errors are explained in plain words. */
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

/** Returns the reason in a thrown value, for a sentence that already names the file. */
export function reasonOf(thrown: unknown): string {
  const words = explainSystemError(thrown)?.words
  if (words === undefined) return messageOf(thrown)
  const colon = words.indexOf(': ')
  return colon < 0 ? `it ${words}` : words.slice(colon + 2)
}

const TEXT = Symbol('text')

/** A part of a result's text: text of the tool, or output that was already streamed as deltas. */
export type TextPart = string | { readonly streamed: string }

/** What a tool returns if the model should read another text than the data as JSON. */
export interface Answer<Data = unknown> {
  readonly [TEXT]: true
  readonly text: string
  /** See `Success`. */
  readonly frame?: string
  readonly data: Data
}

/** Pairs data with the text that the model reads: one text, or parts that are joined by newlines. */
export function answer<Data>(text: string | readonly TextPart[], data: Data): Answer<Data> {
  return isParts(text) ? { [TEXT]: true, ...composeText(text), data } : { [TEXT]: true, text, data }
}

/** Joins the parts of a list. Anything else, which an untyped tool may give, is turned into text later. */
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

/** True for a value that `answer` made. */
export function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && TEXT in value
}
