import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Search } from 'lucide-react'
import { AlertDialog, DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import { Link } from 'wouter'
import { SESSION_WORDS, type SessionSummary } from '../../../../src/core/session/session-record.ts'
import { api } from '../../api/api.ts'
import { Problem } from '../../components/problem.tsx'
import { SessionIcon } from '../../components/session-icon.tsx'
import { ShortPath } from '../../components/short-path.tsx'
import { Shown } from '../../components/shown.tsx'
import { TimeSince } from '../../components/time-since.tsx'
import { useSettled } from '../../components/use-settled.ts'

/** All sessions, with search over titles and messages, rename and delete. */
export function SessionList({ sessions }: { readonly sessions: readonly SessionSummary[] }) {
  const [query, setQuery] = useState('')
  const words = useSettled(query.trim(), 200)
  const { data } = useQuery({
    queryKey: ['search', words],
    enabled: words !== '',
    queryFn: () => api().searchSessions({ q: words, limit: 50 }),
  })
  const hits = words === '' ? undefined : data?.hits
  const excerpts = new Map(hits?.map(({ session, message }) => [session.session, message?.excerpt]))
  const shown = hits ? hits.map(({ session }) => session) : sessions
  return (
    <section aria-label="Sessions">
      <div className="find">
        <Search className="i" strokeWidth={1.75} aria-hidden="true" />
        <input
          className="in"
          type="search"
          placeholder="Search titles and messages"
          aria-label="Search sessions"
          value={query}
          onChange={({ target }) => setQuery(target.value)}
        />
      </div>
      {shown.length === 0 && <p className="q pad">No session matches.</p>}
      {shown.map((session) => (
        <SessionRow key={session.session} session={session} excerpt={excerpts.get(session.session)} />
      ))}
    </section>
  )
}

function SessionRow({ session, excerpt }: { readonly session: SessionSummary; readonly excerpt?: string | undefined }) {
  const { session: id, title, state, workspace, model, lastAt } = session
  const queries = useQueryClient()
  const [isRenaming, setRenaming] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const refresh = () => queries.invalidateQueries({ queryKey: ['sessions'] })
  const rename = useMutation({
    mutationFn: (next: string) => api().changeSession({ id, title: next }),
    onSuccess: () => setRenaming(false),
    onSettled: refresh,
  })
  const remove = useMutation({ mutationFn: () => api().deleteSession({ id }), onSettled: refresh })
  return (
    <div className="li sess-row" data-session={id}>
      <SessionIcon state={state} />
      <div className="grow">
        {isRenaming ? (
          <form
            onSubmit={(event) => {
              event.preventDefault()
              const next = String(new FormData(event.currentTarget).get('title') ?? '').trim()
              if (next !== '') rename.mutate(next)
            }}
          >
            <input
              className="in"
              name="title"
              aria-label="Title"
              defaultValue={title ?? ''}
              // biome-ignore lint/a11y/noAutofocus: the person has just asked to rename
              autoFocus
              onBlur={() => setRenaming(false)}
            />
          </form>
        ) : (
          <Link className="b" href={`/sessions/${id}`}>
            <Shown text={title ?? 'Untitled'} isLine />
          </Link>
        )}
        <div className="meta">
          <span className={state === 'waiting' ? 'ask b' : state === 'failed' ? 'bad' : ''}>
            {SESSION_WORDS[state]}
          </span>{' '}
          · {model} · <ShortPath path={workspace ?? ''} /> · <TimeSince at={lastAt} /> ago
        </div>
        {excerpt && (
          <div className="meta">
            “<Shown text={excerpt} isLine />”
          </div>
        )}
        {(rename.error ?? remove.error) && <Problem text={(rename.error ?? remove.error)?.message ?? ''} />}
      </div>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className="btn bare ico" aria-label={`More for ${title ?? 'Untitled'}`}>
          <Ellipsis className="i" strokeWidth={1.75} aria-hidden="true" />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            className="pop menu"
            align="end"
            onCloseAutoFocus={(event) => isRenaming && event.preventDefault()}
          >
            <DropdownMenu.Item className="opt" onSelect={() => setRenaming(true)}>
              Rename
            </DropdownMenu.Item>
            <DropdownMenu.Item className="opt bad" onSelect={() => setDeleting(true)}>
              Delete…
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      <AlertDialog.Root open={isDeleting} onOpenChange={setDeleting}>
        <AlertDialog.Portal>
          <AlertDialog.Overlay className="veil" />
          <AlertDialog.Content className="pop dialog">
            <AlertDialog.Title asChild>
              <h2>Delete this session?</h2>
            </AlertDialog.Title>
            <AlertDialog.Description className="q">
              Its messages and outputs are removed. Calls that changed something stay in the log, and can be undone
              until they expire.
            </AlertDialog.Description>
            <div className="flex" style={{ justifyContent: 'flex-end' }}>
              <AlertDialog.Cancel className="btn big">Keep</AlertDialog.Cancel>
              <AlertDialog.Action className="btn big dan" onClick={() => remove.mutate()}>
                Delete
              </AlertDialog.Action>
            </div>
          </AlertDialog.Content>
        </AlertDialog.Portal>
      </AlertDialog.Root>
    </div>
  )
}
