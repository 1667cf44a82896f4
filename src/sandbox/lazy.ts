import { ToolError } from '../core/call/result.ts'
import type { ProgramOrder, RunningProgram, Sandbox } from '../core/ports/sandbox.ts'
import type { PendingOptions } from './overlay/pending/pending-changes.ts'

/** Creates a sandbox at its first use, so that a start without commands costs nothing. `isOffline` and `canConnect` are known before. */
export function createLazySandbox(
  { isOffline, canConnect }: Pick<Sandbox, 'isOffline' | 'canConnect'>,
  make: () => Promise<Sandbox>,
  options: PendingOptions,
): Sandbox {
  let made: Promise<Sandbox> | undefined
  const find = () => {
    made ??= make()
    return made
  }
  const findPending = async () => {
    const { createPendingChanges } = await import('./overlay/pending/pending-changes.ts')
    return createPendingChanges(options)
  }
  return {
    ...(isOffline !== undefined && { isOffline }),
    ...(canConnect !== undefined && { canConnect }),
    pending: {
      list: async () => (await findPending()).list(),
      show: async (call) => (await findPending()).show(call),
      apply: async (call, choice) => (await findPending()).apply(call, choice),
      discard: async (call) => (await findPending()).discard(call),
    },
    run: async (order, owner) => (await find()).run(order, owner),
    start: async (order) => startIn(await find(), order),
    examine: async () => (await find()).examine(),
    close: async () => (await made)?.close(),
  }
}

function startIn(sandbox: Sandbox, order: ProgramOrder): Promise<RunningProgram> {
  if (sandbox.start) return sandbox.start(order)
  return Promise.reject(
    new ToolError('UNAVAILABLE', 'The sandbox here cannot keep a program running. Nothing was run.'),
  )
}
