import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../api/api.ts'
import { DiffView } from '../components/diff-view.tsx'
import { Shown } from '../components/shown.tsx'

/** What tools ask the app to do: open a file, show a diff. The page shows it, and the person says when they have seen it. */
export function Delegates({ session }: { readonly session: string }) {
  const queries = useQueryClient()
  const { data } = useQuery({ queryKey: ['delegates'], queryFn: () => api().listDelegates({}) })
  const answer = useMutation({
    mutationFn: (reply: { readonly id: string; readonly done: boolean }) =>
      api().answerDelegate(
        reply.done ? { id: reply.id, done: true } : { id: reply.id, done: false, reason: 'the person closed it' },
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: ['delegates'] }),
  })
  const open = data?.delegates.filter((one) => one.session === session) ?? []
  return (
    <>
      {open.map(({ delegate, effect }) => (
        <div key={delegate} className="note run" role="status" style={{ margin: '8px 16px' }}>
          <div className="grow">
            {effect.kind === 'notify' ? (
              <Shown text={effect.text} />
            ) : (
              <>
                <span className="b">
                  {effect.kind === 'show-diff'
                    ? 'Shows a change of'
                    : effect.kind === 'open'
                      ? 'Asks you to open'
                      : 'Closes'}
                </span>{' '}
                <code>
                  <Shown text={effect.path} isLine />
                </code>
              </>
            )}
            {effect.kind === 'show-diff' && <DiffView diff={effect.diff} />}
          </div>
          <button type="button" className="btn" onClick={() => answer.mutate({ id: delegate, done: true })}>
            Done
          </button>
          <button type="button" className="btn bare" onClick={() => answer.mutate({ id: delegate, done: false })}>
            Close
          </button>
        </div>
      ))}
    </>
  )
}
