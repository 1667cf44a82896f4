import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { AlertDialog } from 'radix-ui'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../api/api.ts'
import { DiffView } from '../components/diff-view.tsx'
import { Problem } from '../components/problem.tsx'

/** What is undone: a call, all of a session, or everything since a message, conversation included. */
export type UndoTarget =
  | { readonly call: string }
  | { readonly session: string }
  | { readonly session: string; readonly event: string }
  | { readonly plan: string; readonly job: string }

interface Props {
  readonly target: UndoTarget
  readonly onClose: () => void
  readonly onDone?: () => void
}

const TITLES = {
  call: 'Undo this call?',
  session: 'Undo all changes of this session?',
  job: 'Undo all changes of this job?',
  message: 'Go back to this message?',
} as const

function kindOf(target: UndoTarget): keyof typeof TITLES {
  if ('job' in target) return 'job'
  return 'call' in target ? 'call' : 'event' in target ? 'message' : 'session'
}

/** How the server is told what to undo. */
function namesOf(target: UndoTarget) {
  if ('job' in target) return target
  return { id: 'call' in target ? target.call : target.session }
}

/** What would be restored, as a diff. */
async function preview(target: UndoTarget, force: boolean) {
  const options = { dryRun: true, ...(force && { force }) }
  if ('session' in target && 'event' in target)
    return api().rewindSession({ id: target.session, event: target.event, ...options })
  const { calls, result, check } = await api().undo({ ...namesOf(target), ...options })
  const shown = check?.preview && typeof check.preview === 'object' && 'text' in check.preview
  return {
    calls,
    ...(result && { result }),
    ...(check?.code !== undefined && { problem: check.text }),
    preview: shown ? String(check.preview.text) : '',
  }
}

async function restore(target: UndoTarget, force: boolean) {
  const options = force ? { force } : {}
  if ('session' in target && 'event' in target)
    return api().rewindSession({ id: target.session, event: target.event, ...options })
  const { calls, result } = await api().undo({ ...namesOf(target), ...options })
  return { calls, ...(result && { result }) }
}

/** Shows what would be restored, then restores it. Files that changed since are named, and can be restored all the same. */
export function UndoDialog({ target, onClose, onDone }: Props) {
  const [, go] = useLocation()
  const queries = useQueryClient()
  const [force, setForce] = useState(false)
  const kind = kindOf(target)
  const seen = useQuery({
    queryKey: ['undo', target, force],
    retry: false,
    gcTime: 0,
    queryFn: () => preview(target, force),
  })
  const run = useMutation({
    mutationFn: () => restore(target, force),
    onSuccess: (done) => {
      if (done.result && !done.result.ok) return
      queries.invalidateQueries()
      onDone?.()
      onClose()
      if ('session' in done && done.session) go(`/sessions/${done.session.session}`)
    },
  })
  const failed = run.data?.result && !run.data.result.ok ? run.data.result : undefined
  const count = seen.data?.calls.length ?? 0
  const problem = seen.data && 'problem' in seen.data ? String(seen.data.problem) : undefined
  const isConflict = failed?.code === 'CONFLICT' || problem !== undefined
  return (
    <AlertDialog.Root open onOpenChange={onClose}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="veil" />
        <AlertDialog.Content className="pop dialog wide-dialog">
          <AlertDialog.Title asChild>
            <h2>{TITLES[kind]}</h2>
          </AlertDialog.Title>
          <AlertDialog.Description className="q">
            {seen.isLoading ? 'Looking at what would be restored…' : describe(kind, count)}
            {kind === 'message' && ' The conversation goes on in a copy of the session.'}
          </AlertDialog.Description>
          {seen.error && <Problem text={seen.error.message} />}
          {seen.data?.preview && (
            <div className="scroll-box">
              <DiffView diff={seen.data.preview} />
            </div>
          )}
          {problem !== undefined && !failed && <Problem text={problem} />}
          {failed && <Problem text={failed.text} code={failed.code} />}
          {run.error && <Problem text={run.error.message} />}
          {(isConflict || force) && (
            <label className="flex">
              <input
                type="checkbox"
                className="box"
                checked={force}
                onChange={({ target: box }) => setForce(box.checked)}
              />
              Restore all the same; what is there now is kept beside it
            </label>
          )}
          <div className="flex" style={{ justifyContent: 'flex-end' }}>
            <AlertDialog.Cancel className="btn big">Keep</AlertDialog.Cancel>
            <button
              type="button"
              className="btn big pri"
              disabled={run.isPending || seen.isLoading || (count === 0 && kind !== 'message')}
              onClick={() => run.mutate()}
            >
              {run.isPending ? 'Restoring…' : kind === 'message' ? 'Go back' : 'Undo'}
            </button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

function describe(kind: keyof typeof TITLES, count: number): string {
  if (count === 0)
    return kind === 'message'
      ? 'No call since then changed a file that Haft can restore.'
      : 'It changed no file that Haft can restore.'
  if (kind === 'call') return 'Restores the files that it changed.'
  return `Restores the files that ${count} ${count === 1 ? 'call' : 'calls'} changed.`
}
