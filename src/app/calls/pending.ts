import type { Log } from '../../core/ports/log.ts'
import type { ChangedFiles, PendingChanges } from '../../core/ports/sandbox.ts'
import { maskTokens } from '../../core/secrets/mask-secrets.ts'
import type { Masker } from '../../core/secrets/masker.ts'
import type { EventBody } from '../../core/session/event.ts'

/** What the log needs to tell who decided about pending changes. */
interface PendingParts {
  readonly log: Pick<Log, 'calls' | 'flush'>
  emit(body: EventBody): void
  readonly masker: Masker
}

/** Returns pending changes whose decisions are logged as events of their call. */
export function logPending(pending: PendingChanges, { log, emit, masker }: PendingParts): PendingChanges {
  const sessionOf = async (call: string) => (await log.calls({ call, limit: 1 }))[0]?.session
  const filesOf = async (call: string) => (await pending.list()).find((run) => run.call === call)?.files
  return {
    list: () => pending.list(),
    async show(call) {
      masker.refresh()
      return maskTokens(await pending.show(call), masker)
    },
    async apply(call, choice, who) {
      const session = await sessionOf(call)
      const report = await pending.apply(call, choice)
      const left = await filesOf(call)
      const { changed } = report
      if (session === undefined || changed === undefined) return report
      emit({
        type: 'task-apply',
        session,
        call,
        changed: bound(changed),
        ...(left && { left: bound(left) }),
        by: who?.by ?? 'program',
      })
      await log.flush()
      return report
    },
    async discard(call, who) {
      const session = await sessionOf(call)
      const discarded = await filesOf(call)
      const isDone = await pending.discard(call)
      if (!isDone || session === undefined || discarded === undefined) return isDone
      emit({ type: 'task-discard', session, call, discarded: bound(discarded), by: who?.by ?? 'program' })
      await log.flush()
      return isDone
    },
  }
}

/** The most paths of each kind in one event. */
const MAX_PATHS = 1_000

function bound({ added, changed, deleted }: ChangedFiles): ChangedFiles {
  const first = (paths: readonly string[]) => paths.slice(0, MAX_PATHS)
  return { added: first(added), changed: first(changed), deleted: first(deleted) }
}
