import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Copy, Undo2, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { drawSession } from '../../../../src/core/session/draw-session.ts'
import type { Event } from '../../../../src/core/session/event.ts'
import type { CallItem } from '../../../../src/core/session/session-view.ts'
import { api } from '../../api/api.ts'
import { useHub } from '../../api/hub.tsx'
import { Shown } from '../../components/shown.tsx'
import { StateIcon } from '../../components/state-icon.tsx'
import { LoadState } from '../../lists/load-state.tsx'
import { isEdited, shownName, stateOf } from '../../session/call-state.ts'
import { UndoDialog } from '../../undo/lazy-dialog.tsx'
import { StoryLine } from './story-line.tsx'
import { storyOf } from './story-of.ts'

const TAGS: Readonly<Record<string, string>> = {
  ...{ done: 'ok', failed: 'bad', blocked: 'bad', waiting: 'ask', running: 'run' },
}

/** The full story of one call, from its proposal to its result, with who allowed it; it can be undone from here. */
export function Story({ call, onClose }: { readonly call: string; readonly onClose: () => void }) {
  const hub = useHub()
  const queries = useQueryClient()
  const [isUndoing, setUndoing] = useState(false)
  const [isUndone, setUndone] = useState(false)
  const query = useQuery({
    queryKey: ['log', 'call', call],
    queryFn: () => api().listEvents({ call, limit: 10_000 }),
    retry: 1,
  })
  useEffect(
    () =>
      hub.on((event) => {
        if ('call' in event && event.call === call && event.cursor !== undefined)
          queries.invalidateQueries({ queryKey: ['log', 'call', call] })
      }),
    [hub, queries, call],
  )
  const events = query.data?.events ?? []
  const item = drawSession(events).items.find((one): one is CallItem => one.kind === 'call')
  const session = events[0]?.session
  const state = item && stateOf(item)
  const canUndo = useUndoable(call, events.some(isRunEvent) && events.some(isEndEvent))
  return (
    <aside className="pane story" aria-label="Story of the call">
      <div className="flex wrap">
        <h2 className="m title">{item ? shownName(item.name) : 'Call'}</h2>
        {state && (
          <span className={`tag ${TAGS[state] ?? ''}`}>
            <StateIcon state={state} />
            {state}
          </span>
        )}
        {item && isEdited(item) && <span className="tag line">edited by you</span>}
        <span className="grow" />
        {isUndone ? (
          <span className="t1 qq">Undone</span>
        ) : canUndo ? (
          <button type="button" className="btn" onClick={() => setUndoing(true)}>
            <Undo2 className="i s" strokeWidth={1.75} aria-hidden="true" />
            Undo…
          </button>
        ) : (
          canUndo === false && <span className="t1 qq">Nothing to undo</span>
        )}
        <CopyButton text={JSON.stringify(events, null, 2)} />
        <button type="button" className="btn bare ico hide-s" aria-label="Close" onClick={onClose}>
          <X className="i" strokeWidth={1.75} aria-hidden="true" />
        </button>
      </div>
      <p className="t1 qq">
        <code>{call}</code>
        {session && <SessionLink session={session} />}
      </p>
      <LoadState query={query} what="story" isEmpty={events.length === 0} empty="The log has no such call." />
      <ol className="tl">
        {storyOf(events).map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a story only grows at its end
          <StoryLine key={index} line={line} />
        ))}
      </ol>
      {isUndoing && <UndoDialog target={{ call }} onClose={() => setUndoing(false)} onDone={() => setUndone(true)} />}
    </aside>
  )
}

const isRunEvent = ({ type }: Event) => type === 'call-run'
const isEndEvent = ({ type }: Event) => type === 'call-end'

/** True for a call that has ended and changed files that Haft can restore; undefined until the server has said so. */
function useUndoable(call: string, hasEnded: boolean): boolean | undefined {
  const { data } = useQuery({
    queryKey: ['undo', 'possible', call],
    queryFn: () => api().undo({ id: call, dryRun: true }),
    enabled: hasEnded,
    retry: false,
  })
  return data && data.calls.length > 0
}

/** The session of a call; calls that a person or program made have none with a model. */
function SessionLink({ session }: { readonly session: string }) {
  const { data } = useQuery({ queryKey: ['sessions', session], queryFn: () => api().getSession({ id: session }) })
  if (!data) return null
  const { model, title } = data.session
  return model === null ? (
    <> · called by a person or a program</>
  ) : (
    <>
      {' · '}
      <Link href={`/sessions/${session}`}>
        <Shown text={title ?? 'Untitled'} isLine />
      </Link>
      {` · ${model}`}
    </>
  )
}

function CopyButton({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false)
  const Icon = isCopied ? Check : Copy
  return (
    <button
      type="button"
      className="btn bare ico"
      aria-label={isCopied ? 'Copied' : 'Copy as JSON'}
      onClick={() =>
        navigator.clipboard?.writeText(text).then(
          () => setCopied(true),
          () => undefined,
        )
      }
    >
      <Icon className="i" strokeWidth={1.75} aria-hidden="true" />
    </button>
  )
}
