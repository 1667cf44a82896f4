import type { Result } from '../../core/call/result.ts'
import type { OutputStore } from '../../core/ports/output-store.ts'
import { MAX_DATA } from './bound.ts'

/** The store for full outputs. */
export type Outputs = Pick<OutputStore, 'keep'>

/** A bounded result, and the full output to keep if something was left out of it. */
export interface Bounded<Kind extends Result> {
  readonly result: Kind
  readonly output?: string
}

/** Resolves to the result once the full output can be read. */
export function keepOutput<Kind extends Result>(
  call: string,
  { result, output }: Bounded<Kind>,
  outputs: Outputs,
): Kind | Promise<Kind> {
  return output === undefined ? result : outputs.keep(call, output).then(() => result)
}

/** Why data was left out of a result. */
export const TOO_MUCH = `the data is larger than ${MAX_DATA} characters`
