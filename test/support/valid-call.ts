import type { ValidCall } from '../../src/core/call/call.ts'
import { isFailure } from '../../src/core/call/result.ts'
import { createHost } from '../../src/index.ts'
import { parse } from '../../src/pipeline/parse/parse.ts'
import { validateArguments } from '../../src/pipeline/validate/validate.ts'

/** Makes a valid call of a built-in tool, as the pipeline makes it. */
export async function validCall(name: string, args: object): Promise<ValidCall> {
  const host = await createHost({ workspace: import.meta.dirname, storage: 'memory' })
  try {
    const snapshot = host.registry.snapshot()
    const parsed = await parse({ id: 'c_1', session: 's_1', name, arguments: args }, snapshot)
    if (isFailure(parsed)) throw new Error(parsed.text)
    const validated = await validateArguments(parsed, snapshot)
    if (isFailure(validated)) throw new Error(validated.text)
    return validated.call
  } finally {
    await host.close()
  }
}
