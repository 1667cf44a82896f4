import type { CallRecord } from '../../../../src/core/call/call-record.ts'
import { type CallSearch, readCalls } from './use-calls.ts'

/** The forms in which calls can be saved. */
export type ExportForm = 'csv' | 'jsonl'

const COLUMNS = [
  ...['at', 'session', 'call', 'tool', 'arguments', 'decision', 'rule', 'clearedBy', 'ran', 'outcome', 'duration'],
] as const

/** Reads every call that matches a filter, and saves them as a file. */
export async function exportCalls(
  search: CallSearch,
  form: ExportForm,
  onCount: (count: number) => void,
): Promise<void> {
  const calls: CallRecord[] = []
  let before: number | undefined
  do {
    const page = await readCalls(search, before, 1_000)
    calls.push(...(page.calls as readonly CallRecord[]))
    onCount(calls.length)
    before = page.calls.length < 1_000 ? undefined : page.calls.at(-1)?.cursor
  } while (before !== undefined)
  const text = form === 'csv' ? toCsv(calls) : calls.map((call) => `${JSON.stringify(call)}\n`).join('')
  save(`haft-log.${form}`, text)
}

/** Calls as comma-separated values, the newest first. */
export function toCsv(calls: readonly CallRecord[]): string {
  const row = (call: CallRecord) =>
    COLUMNS.map((column) => {
      const value: unknown = column === 'at' ? new Date(call.at).toISOString() : Reflect.get(call, column)
      return quoted(value === null || value === undefined ? '' : String(value))
    }).join(',')
  return [COLUMNS.join(','), ...calls.map(row)].map((line) => `${line}\r\n`).join('')
}

/** A spreadsheet must not take a text that begins like a formula for one. */
function quoted(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function save(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
