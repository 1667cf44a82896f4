import { useMutation } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { CallItem } from '../../../../src/core/session/session-view.ts'
import { api } from '../../api/api.ts'
import { useTools } from '../../api/queries.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Problem } from '../../components/problem.tsx'
import { UndoDialog } from '../../undo/lazy-dialog.tsx'
import { type CallState, readArguments } from '../call-state.ts'

/** What can be done with a call: open its ports, cancel it, undo it, see what the model sent, see why. */
export function CallLinks({ item, state }: { readonly item: CallItem; readonly state: CallState }) {
  const [shows, setShows] = useState(false)
  const [isUndoing, setUndoing] = useState(false)
  const [isUndone, setUndone] = useState(false)
  const cancel = useMutation({ mutationFn: () => api().cancelCall({ id: item.call }) })
  const move = useMutation({ mutationFn: () => api().moveCall({ id: item.call }) })
  const problem = cancel.error ?? move.error
  const canMove = useMovable(item)
  const now = readArguments(item)
  const sent = item.proposed === undefined ? undefined : readArguments({ arguments: item.proposed })
  return (
    <>
      <Ports item={item} />
      <div className="more">
        {state === 'running' && canMove && (
          <button type="button" className="linkish" onClick={() => move.mutate()} disabled={move.isPending}>
            Move to background
          </button>
        )}
        {state === 'running' && (
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
          {shows ? 'Hide arguments' : 'Arguments'}
        </button>
        <Link className="linkish" href={`/log?call=${item.call}`}>
          Why
        </Link>
      </div>
      {shows && (
        <div className="in-">
          <CodeBlock
            code={JSON.stringify(sent === undefined ? now : { modelSent: sent, youRan: now }, null, 2)}
            language="json"
          />
        </div>
      )}
      {isUndoing && (
        <UndoDialog target={{ call: item.call }} onClose={() => setUndoing(false)} onDone={() => setUndone(true)} />
      )}
      {problem && (
        <div className="in-">
          <Problem text={problem.message} />
        </div>
      )}
    </>
  )
}

/** True for a call whose tool may take long, as its definition says, and that is not in the background yet. */
function useMovable({ name, isTask }: CallItem): boolean {
  const { tools } = useTools()
  const properties = tools.find((tool) => tool.name === name)?.parameters.properties
  return !isTask && typeof properties === 'object' && properties !== null && 'background' in properties
}

/** Links to what a command listens on, open on this machine until it ends. */
function Ports({ item: { ports = [], state } }: { readonly item: CallItem }) {
  const open = state === 'ended' ? [] : ports.filter(({ url }) => /^https?:\/\/(127\.0\.0\.1|localhost):/.test(url))
  if (open.length === 0) return null
  return (
    <p className="why flex wrap">
      {open.map(({ inside, url }) => (
        <a key={url} className="btn" href={url} target="_blank" rel="noopener noreferrer">
          <ExternalLink className="i s" strokeWidth={1.75} aria-hidden="true" />
          Open port {inside}
        </a>
      ))}
    </p>
  )
}

/** True if a call may have changed files: its result or its approval names some. */
function hasChanged({ name, approvals, result }: CallItem): boolean {
  if (approvals.some(({ effects }) => effects.some((effect) => /^(writes|deletes|adds|changes)/.test(effect))))
    return true
  const data = result?.ok ? result.data : undefined
  if (typeof data === 'object' && data !== null && ('changed' in data || 'diff' in data)) return true
  return ['write_file', 'move_file', 'edit_file', 'delete_file'].includes(name)
}
