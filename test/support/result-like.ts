import { ERROR_CODES, type Result } from '../../src/index.ts'

export type { Host } from '../../src/index.ts'

/** True for what every call must end in: ok with text, or a code of ours with text. */
export function isResultLike(result: Result): boolean {
  return typeof result.text === 'string' && (result.ok ? 'data' in result : ERROR_CODES.includes(result.code))
}
