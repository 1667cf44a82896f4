import { isRecord } from '../../core/text/json.ts'
import { parseJson } from '../parse-json.ts'
import { StatusError } from './http-errors.ts'
import { readText } from './read-text.ts'
import type { HttpAnswer } from './send-request.ts'

/** How much of an answer's body is read for its words, in bytes, and how much of them is shown. */
const MAX_READ = 64_000
const MAX_SHOWN = 600

/** The error that an answer without success stands for, with the server's own words. Reads the body. */
export async function explainStatus(answer: HttpAnswer, url: string): Promise<StatusError> {
  const { status, headers } = answer
  const body = await readText(answer.body, MAX_READ).catch(() => '')
  const words = wordsOf(body)
  const { host } = new URL(url)
  const about = { status, words, retryAfter: retryAfterOf(headers) }
  return new StatusError(`${host} answered ${status}: ${explain(about, headers.location)}`, about)
}

interface About {
  readonly status: number
  readonly words: string
  readonly retryAfter: number | undefined
}

function explain({ status, words, retryAfter }: About, location: string | undefined): string {
  if (status < 400 && location !== undefined)
    return `it redirects to ${location}. Set base_url to the address that answers itself.`
  if (status === 401 || status === 403) return `the key was refused. ${words}`.trim()
  if (status === 429) {
    const wait = retryAfter === undefined ? '' : ` It asks to wait ${secondsOf(retryAfter)}.`
    return `too many requests.${wait} ${words}`.trim()
  }
  return words === '' ? 'without a word of explanation.' : words
}

function secondsOf(given: number): string {
  const seconds = Math.ceil(given)
  return seconds === 1 ? '1 second' : `${seconds} seconds`
}

/** The words of an error body: those of a JSON error in any of the usual forms, else the text itself. */
export function wordsOf(body: string): string {
  if (isWebPage(body)) return 'it sent a web page, not an answer of a model server. Check base_url.'
  const words = errorWords(parseJson(body)) ?? body.trim()
  return words.length > MAX_SHOWN ? `${words.slice(0, MAX_SHOWN)}…` : words
}

/** True for text that is HTML. */
export function isWebPage(text: string): boolean {
  return /^\s*<(!doctype html|html|head|body)\b/i.test(text)
}

/** The message in `{error: {message}}`, `{error: "…"}`, `{detail: …}` and `{message: "…"}`; undefined for anything else. */
export function errorWords(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined
  const { error, message, detail } = value
  const held = error ?? detail ?? message
  if (typeof held === 'string') return held
  if (isRecord(held)) return typeof held.message === 'string' ? held.message : JSON.stringify(held)
  return held === undefined || held === null ? undefined : JSON.stringify(held)
}

/** Seconds to wait, from `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function retryAfterOf(headers: Readonly<Record<string, unknown>>): number | undefined {
  const milliseconds = Number.parseFloat(String(headers['retry-after-ms']))
  if (milliseconds >= 0) return milliseconds / 1_000
  const given = String(headers['retry-after'] ?? '').trim()
  if (/^\d+(\.\d+)?$/.test(given)) return Number(given)
  const date = Date.parse(given)
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1_000)
}
