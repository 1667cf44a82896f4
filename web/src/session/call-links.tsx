import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { CallItem } from '../../../src/core/session/session-view.ts'
import { api } from '../api/api.ts'
import { Problem } from '../components/problem.tsx'
import { UndoDialog } from '../undo/undo-dialog.tsx'
import type { CallState } from './call-state.ts'

/** What can be done with a call: cancel it, undo it, see what the model sent, see why. */
export function CallLinks({ item, state }: { readonly item: CallItem; readonly state: CallState }) {
  const [shows, setShows] = useState(false)
  const [isUndoing, setUndoing] = useState(false)
  const [isUndone, setUndone] = useState(false)
  const cancel = useMutation({ mutationFn: () => api().cancelTask({ id: item.call }) })
  return (
    <>
      <div className="more">
        {state === 'running' && item.isTask && (
          <button type="button" className="linkish" onClick={() => cancel.mutate()} disabled={cancel.isPending}>
            Cancel
          </button>
        )}
        {state === 'done' && item.clearedBy !== undefined && hasChanged(item) && (
          <button type="button" className="linkish" onClick={() => setUndoing(true)} disabled={isUndone}>
            {isUndone ? 'Undone' : 'Undo this change'}
          </button>
        )}
        <button type="button" className="linkish" aria-expanded={shows} onClick={() => setShows(!shows)}>
          Arguments
        </button>
        <Link className="linkish" href={`/log?call=${item.call}`}>
          Why
        </Link>
      </div>
      {shows && <pre className="out">{JSON.stringify(item.arguments, null, 2)}</pre>}
      {isUndoing && (
        <UndoDialog target={{ call: item.call }} onClose={() => setUndoing(false)} onDone={() => setUndone(true)} />
      )}
      {cancel.error && (
        <div className="in-">
          <Problem text={cancel.error.message} />
        </div>
      )}
    </>
  )
}

/** True if a call may have changed files: its result or its approval names some. */
function hasChanged({ name, approvals, result }: CallItem): boolean {
  if (approvals.some(({ effects }) => effects.some((effect) => /^(writes|deletes|adds|changes)/.test(effect))))
    return true
  const data = result?.ok ? result.data : undefined
  if (typeof data === 'object' && data !== null && ('changes' in data || 'diff' in data)) return true
  return ['write_file', 'move_file', 'edit_file', 'delete_file'].includes(name)
}
