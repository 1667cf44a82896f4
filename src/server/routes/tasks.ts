import type { Host } from '../../app/host.ts'
import { failureOf } from '../../core/call/result.ts'
import type { PendingChanges } from '../../core/ports/sandbox.ts'
import { BY, type Handlers, type RequestParts, withHost } from '../context.ts'
import { HttpError, orRefuse } from '../request/http-error.ts'

export const taskHandlers: Handlers<
  'listTasks' | 'getTask' | 'cancelTask' | 'getPending' | 'applyTask' | 'discardTask'
> = {
  listTasks: async (filter, { home }) => ({ tasks: await home.tasks.list(filter) }),
  async getTask({ id, from }, { home }) {
    const report = await home.tasks.read(id, from)
    if (!report) throw unknown(id)
    const { output, next, more, result, ...task } = report
    return { task, output, next, more, ...(result && { result }) }
  },
  async cancelTask({ id }, { home }) {
    if (await home.tasks.cancel(id)) return { done: true }
    if (await home.tasks.read(id)) throw new HttpError('CONFLICT', `The task ${id} has already ended.`)
    throw unknown(id)
  },
  getPending: ({ id }, request) =>
    withPending(id, request, async (pending) => ({ files: (await pending.show(id)) ?? [] })),
  applyTask: ({ id, paths }, request) =>
    withPending(id, request, async (pending) => {
      const { changed: files } = orRefuse(
        await pending.apply(id, paths ?? 'without conflict', { by: BY }).catch(failureOf),
      )
      const { added = [], changed = [], deleted = [] } = files ?? {}
      return { added, changed, deleted }
    }),
  discardTask: ({ id }, request) =>
    withPending(id, request, async (pending) => {
      if (await pending.discard(id, { by: BY })) return { done: true }
      throw nothingPending(id)
    }),
}

function unknown(id: string): HttpError {
  return new HttpError('FILE_NOT_FOUND', `There is no task ${JSON.stringify(id)}.`)
}

function nothingPending(id: string): HttpError {
  return new HttpError('FILE_NOT_FOUND', `${id} has no changes that wait to be applied.`)
}

/** Works on the pending changes of the workspace that a task worked in. */
async function withPending<T>(
  id: string,
  request: RequestParts,
  work: (pending: PendingChanges) => Promise<T>,
): Promise<T> {
  const [record] = await request.home.log.calls({ call: id, limit: 1 })
  if (!record?.workspace) throw unknown(id)
  return withHost(request, record.workspace, async ({ pending }: Host) => {
    if (pending === undefined) throw nothingPending(id)
    return work(pending)
  })
}
