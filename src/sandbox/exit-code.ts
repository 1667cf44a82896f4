import { constants } from 'node:os'

/** Returns the exit code as a shell does: 128 plus the signal number when a signal ended the process. */
export function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  if (code !== null) return code
  return 128 + (signal === null ? 0 : constants.signals[signal])
}
