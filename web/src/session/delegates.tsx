import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FileDiff, FileSymlink, FileX, MessageSquare } from 'lucide-react'
import { api } from '../api/api.ts'
import { CopyButton } from '../components/copy/copy-button.tsx'
import { DiffView } from '../components/diff-view.tsx'
import { Shown } from '../components/shown.tsx'

const LOOK = {
  open: [FileSymlink, 'The model asks you to open'],
  close: [FileX, 'The model is done with'],
  'show-diff': [FileDiff, 'The model shows you a change of'],
  notify: [MessageSquare, 'The model says:'],
} as const

/** What tools ask the app to do: open a file, show a diff. The page shows it, and the person says when they have seen it. */
export function Delegates({ session }: { readonly session: string }) {
  const queries = useQueryClient()
  const { data } = useQuery({ queryKey: ['delegates'], queryFn: () => api().listDelegates({}) })
  const answer = useMutation({
    mutationFn: ({ id, done }: { readonly id: string; readonly done: boolean }) =>
      api().answerDelegate(
        done ? { id, done, text: 'The person has seen it.' } : { id, done, reason: 'the person did not want to' },
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: ['delegates'] }),
  })
  const open = data?.delegates.filter((one) => one.session === session) ?? []
  return open.map(({ delegate, effect }) => {
    const [Icon, words] = LOOK[effect.kind]
    return (
      <section key={delegate} className="delegate" aria-label="Request of a tool" data-delegate={delegate}>
        <div className="flex">
          <Icon className="i run" strokeWidth={1.75} aria-hidden="true" />
          <span className="grow">
            <span className="b">{words}</span>{' '}
            {effect.kind === 'notify' ? (
              <Shown text={effect.text} />
            ) : (
              <code>
                <Shown text={effect.path} isLine />
                {effect.kind === 'open' && effect.line !== undefined && `:${effect.line}`}
              </code>
            )}
          </span>
          {effect.kind === 'open' && <CopyButton text={effect.path} label="Copy the path" />}
          <button
            type="button"
            className="btn bare"
            disabled={answer.isPending}
            onClick={() => answer.mutate({ id: delegate, done: false })}
          >
            Decline
          </button>
          <button
            type="button"
            className="btn pri"
            disabled={answer.isPending}
            onClick={() => answer.mutate({ id: delegate, done: true })}
          >
            {effect.kind === 'open' ? 'I opened it' : 'Done'}
          </button>
        </div>
        {effect.kind === 'show-diff' && (
          <div className="scroll-box">
            <DiffView diff={effect.diff} />
          </div>
        )}
      </section>
    )
  })
}
