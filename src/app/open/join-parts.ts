import type { Sandbox } from '../../core/ports/sandbox.ts'
import type { DelegateHandler } from '../../core/tool/delegate.ts'
import { createDelegate } from '../../pipeline/context/ask-app.ts'
import type { Parts } from '../../pipeline/request.ts'
import { BackgroundCalls } from '../../pipeline/tasks/background-calls.ts'
import { followCancels } from '../../pipeline/tasks/follow-cancels.ts'
import { createTasks } from '../../pipeline/tasks/task-log.ts'
import { KnownSessions } from '../calls/known-sessions.ts'
import type { HomeParts } from '../home-parts.ts'
import type { OwnPlans } from '../plans/plans.ts'
import { createProposals } from '../plans/propose.ts'

/** Combines the parts of a workspace with those that its home shares. */
export function joinParts(
  { storage, grants, masker, expireMinutes, bus }: HomeParts,
  own: Pick<
    Parts,
    'workspace' | 'judge' | 'files' | 'agents' | 'http' | 'code' | 'editChecks' | 'machine' | 'ports' | 'hosts'
  > & {
    readonly sandbox: Sandbox
    /** The plans of the home, which sessions may propose. */
    readonly plans: Pick<OwnPlans, 'checkProposed' | 'startProposed'>
  },
): { readonly parts: Parts; onDelegate(handler: DelegateHandler): () => void } {
  const { emit, notify } = bus
  const apps = new Set<DelegateHandler>()
  const background = new BackgroundCalls(followCancels(storage.log))
  const tasks = createTasks({ log: storage.log, background, emit })
  const delegate = createDelegate(apps)
  return {
    parts: {
      ...own,
      plans: createProposals({ ...own, storage }),
      storage,
      grants,
      masker,
      expireMinutes,
      delegate,
      opener: (effect) => [...apps].find((app) => app.opener)?.opener?.(effect, own.workspace),
      background,
      tasks,
      emit,
      notify,
      sessions: new KnownSessions(),
    },
    onDelegate(handler) {
      apps.add(handler)
      return () => apps.delete(handler)
    },
  }
}
