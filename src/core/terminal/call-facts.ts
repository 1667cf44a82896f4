import type { Failure, Result } from '../call/result.ts'
import type { CallItem } from '../session/session-view.ts'
import { isRecord } from '../text/json.ts'
import { printableLine } from '../text/printable.ts'

/** Returns the argument that tells calls of a tool apart, on one line: the tool's main one, else the first that is a text. */
export function mainArgument(given: unknown, main?: string): string {
  const args = typeof given === 'string' ? parse(given) : given
  if (!isRecord(args)) return typeof args === 'string' ? printableLine(args) : ''
  const named = main === undefined ? undefined : args[main]
  const value = named ?? Object.values(args).find((one) => typeof one === 'string')
  return typeof value === 'string' ? printableLine(value) : value === undefined ? '' : JSON.stringify(value)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The texts that say the same as their code. */
const REFUSED = /^(Blocked by rule|Denied by user)\b/

/** Returns what is notable about a result in a few words, chosen by its data: `exit 1`, `+2 -1`, `6 matches`; the code of a failure, unless its text begins with it in words. */
export function factsOf(result: Result | undefined): string[] {
  if (result === undefined) return []
  // Whoever refused is named below, in words.
  if (!result.ok) return REFUSED.test(result.text) ? [] : [result.code]
  const { data } = result
  if (!isRecord(data)) return []
  if (typeof data.diff === 'string') return [countDiff(data.diff)]
  if (typeof data.exitCode === 'number') return [`exit ${data.exitCode}`]
  if (Array.isArray(data.hits)) return [count(data.hits.length, 'match', 'matches')]
  const listed = data.entries ?? data.files
  if (Array.isArray(listed)) return [count(listed.length, 'entry', 'entries')]
  if (typeof data.content === 'string') return [count(linesIn(data.content), 'line', 'lines')]
  return []
}

/** Returns what an ended call printed and its result does not hold. */
export function printedOf({ result, output }: Pick<CallItem, 'result' | 'output'>): string {
  const printed = output.trim()
  if (result === undefined || (result.ok && result.frame !== undefined) || result.text.includes(printed)) return ''
  if (!result.ok && (result.code === 'BLOCKED' || result.code === 'DENIED')) return ''
  return `${output.trimEnd()}\n`
}

/** What of a result is worth showing below the call. */
interface ShownOutput {
  readonly text: string
  readonly isDiff: boolean
  /** Why the call failed, in words. */
  readonly problem: string
}

/** Returns what of a result is worth showing below the call: not what was merely read or listed, which the facts sum up. */
export function outputOf(item: Pick<CallItem, 'result' | 'output'>): ShownOutput {
  const { result } = item
  if (result === undefined) return { text: item.output, isDiff: false, problem: '' }
  if (!result.ok) return { text: printedUntilFailure(result) || printedOf(item), isDiff: false, problem: result.text }
  const { data } = result
  if (isRecord(data)) {
    if (typeof data.diff === 'string') return { text: withoutNames(data.diff), isDiff: true, problem: '' }
    if (typeof data.exitCode !== 'number' && isReading(data)) return { text: '', isDiff: false, problem: '' }
  }
  return { text: printedOf(item) + result.text, isDiff: false, problem: '' }
}

/** What a call had printed when it was stopped. The text of a program that had ended by itself repeats what it printed. */
function printedUntilFailure({ details }: Failure): string {
  return typeof details?.partial === 'string' && details.exitCode === undefined ? details.partial : ''
}

/** True for the result of replacing the to-do list, which is shown when it changes. */
export function isTodoCount(result: Result): boolean {
  return (
    result.ok && isRecord(result.data) && typeof result.data.done === 'number' && typeof result.data.total === 'number'
  )
}

function isReading({ hits, entries, files, content }: Readonly<Record<string, unknown>>): boolean {
  return [hits, entries, files].some(Array.isArray) || typeof content === 'string'
}

/** A diff without the lines that name its file, which the call names, and without notes about the end of the file. */
function withoutNames(diff: string): string {
  return diff
    .split('\n')
    .filter((line) => !/^(---|\+\+\+|\\ |Index:|=+$)/.test(line))
    .join('\n')
}

function countDiff(diff: string): string {
  const lines = withoutNames(diff).split('\n')
  const starting = (mark: string) => lines.filter((line) => line.startsWith(mark)).length
  return `+${starting('+')} -${starting('-')}`
}

function linesIn(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length
}

/** `1 call`, `3 calls`. */
export function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`
}
