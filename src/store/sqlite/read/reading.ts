import { messageOf, ToolError } from '../../../core/call/result.ts'

/** Runs a query; throws UNAVAILABLE with the reason when the file cannot be read. */
export function reading<T>(query: () => T): T {
  try {
    return query()
  } catch (thrown) {
    throw new ToolError('UNAVAILABLE', `The log cannot be read: ${messageOf(thrown)}.`)
  }
}
