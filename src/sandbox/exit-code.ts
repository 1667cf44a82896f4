import { constants } from 'node:os'

/** The exit code as a shell gives it: 128 and the signal's number where a signal ended the process. */
export function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  if (code !== null) return code
  return 128 + (signal === null ? 0 : constants.signals[signal])
}
