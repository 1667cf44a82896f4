import type { Result } from '../../core/call/result.ts'
import type { OutputStore } from '../../core/ports/output-store.ts'
import { maskForModel, maskKnown, maskSecrets } from '../../core/secrets/mask-secrets.ts'
import type { CallRun } from '../call-run.ts'
import { MAX_DATA } from './bound.ts'

/** The store for full outputs. */
export type Outputs = Pick<OutputStore, 'keep'>

/** Where the output of a call is kept: without its secrets, since models and front ends read it. A class, because every call makes one (gate 1b). */
export class MaskedOutputs implements Outputs {
  readonly #run: Pick<CallRun, 'parts' | 'valid'>

  constructor(run: Pick<CallRun, 'parts' | 'valid'>) {
    this.#run = run
  }

  keep(call: string, text: string): Promise<void> {
    const { masker, storage } = this.#run.parts
    masker.refresh()
    const { secrets } = maskSecrets(this.#run.valid?.arguments, masker)
    return storage.outputs.keep(call, maskForModel(maskKnown(text, secrets, masker), masker))
  }
}

/** A bounded result, and the full output to keep if something was left out of it. */
export interface Bounded<Kind extends Result> {
  readonly result: Kind
  readonly output?: string | undefined
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
