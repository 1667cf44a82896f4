import { useMutation, useQuery } from '@tanstack/react-query'
import { AlertDialog } from 'radix-ui'
import { useLocation } from 'wouter'
import { api } from '../../api/api.ts'
import { DiffView } from '../../components/diff-view.tsx'
import { Problem } from '../../components/problem.tsx'

interface Props {
  readonly session: string
  /** The message to go back to; all of the session's changes are undone when left out. */
  readonly event?: string | undefined
  readonly onClose: () => void
}

/** Shows what would be restored, then undoes the changes of a session, or goes back to a message with its files. */
export function RewindDialog({ session, event, onClose }: Props) {
  const [, go] = useLocation()
  const preview = useQuery({
    queryKey: ['undo', session, event ?? ''],
    retry: false,
    gcTime: 0,
    queryFn: async () => {
      if (event !== undefined) return api().rewindSession({ id: session, event, dryRun: true })
      const { calls, check } = await api().undo({ id: session, dryRun: true })
      return { calls, preview: check?.preview && 'text' in check.preview ? String(check.preview.text) : undefined }
    },
  })
  const run = useMutation({
    mutationFn: async () => {
      if (event === undefined) return { ...(await api().undo({ id: session })), session: undefined }
      return api().rewindSession({ id: session, event })
    },
    onSuccess: ({ result, session: copy }) => {
      if (result && !result.ok) return
      onClose()
      if (copy) go(`/sessions/${copy.session}`)
    },
  })
  const failed = run.data?.result && !run.data.result.ok ? run.data.result : undefined
  const count = preview.data?.calls.length ?? 0
  return (
    <AlertDialog.Root open onOpenChange={onClose}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="veil" />
        <AlertDialog.Content className="pop dialog wide-dialog">
          <AlertDialog.Title asChild>
            <h2>{event === undefined ? 'Undo all changes of this session?' : 'Go back to this message?'}</h2>
          </AlertDialog.Title>
          <AlertDialog.Description className="q">
            {preview.isLoading
              ? 'Looking at what would be restored…'
              : count === 0
                ? 'No call since then changed a file that Haft can restore.'
                : `Restores the files that ${count} ${count === 1 ? 'call' : 'calls'} changed.`}
            {event !== undefined && ' The conversation goes on in a copy of the session.'}
          </AlertDialog.Description>
          {preview.error && <Problem text={preview.error.message} />}
          {preview.data?.preview && (
            <div className="scroll-box">
              <DiffView diff={preview.data.preview} />
            </div>
          )}
          {failed && <Problem text={failed.text} code={failed.code} />}
          {run.error && <Problem text={run.error.message} />}
          <div className="flex" style={{ justifyContent: 'flex-end' }}>
            <AlertDialog.Cancel className="btn big">Keep</AlertDialog.Cancel>
            <button
              type="button"
              className="btn big pri"
              disabled={run.isPending || preview.isLoading || (count === 0 && event === undefined)}
              onClick={() => run.mutate()}
            >
              {event === undefined ? 'Undo' : 'Go back'}
            </button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
