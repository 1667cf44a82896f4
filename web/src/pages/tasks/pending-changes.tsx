import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, FileMinus, FilePen, FilePlus, TriangleAlert } from 'lucide-react'
import { AlertDialog } from 'radix-ui'
import { useState } from 'react'
import type { PendingFile } from '../../../../src/core/ports/sandbox.ts'
import { api } from '../../api/api.ts'
import { DiffView } from '../../components/diff-view.tsx'
import { Problem } from '../../components/problem.tsx'
import { Shown } from '../../components/shown.tsx'

const KINDS = { added: [FilePlus, 'new'], changed: [FilePen, 'changed'], deleted: [FileMinus, 'deleted'] } as const

/** Changes of a background command that could not be applied when it ended: each file is shown, and applied or left; or all are discarded. */
export function PendingChanges({ task }: { readonly task: string }) {
  const queries = useQueryClient()
  const key = ['pending', task]
  const { data, error } = useQuery({ queryKey: key, queryFn: () => api().getPending({ id: task }), retry: 1 })
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [isDiscarding, setDiscarding] = useState(false)
  const settled = {
    onSettled: () => {
      queries.invalidateQueries({ queryKey: key })
      queries.invalidateQueries({ queryKey: ['log'] })
    },
  }
  const apply = useMutation({
    mutationFn: (paths: readonly string[]) => api().applyTask({ id: task, paths: [...paths] }),
    ...settled,
  })
  const discard = useMutation({ mutationFn: () => api().discardTask({ id: task }), ...settled })
  if (error) return <Problem text={error.message} />
  const files = data?.files ?? []
  const applied = apply.data && [...apply.data.added, ...apply.data.changed, ...apply.data.deleted]
  if (files.length === 0)
    return applied || discard.isSuccess ? (
      <p className="note ok" role="status">
        <Check className="i" strokeWidth={1.75} aria-hidden="true" />
        {discard.isSuccess ? 'Its changes were discarded.' : `Applied: ${applied?.join(', ')}`}
      </p>
    ) : null
  const chosen = files.filter(({ path }) => !left.has(path)).map(({ path }) => path)
  const toggle = (path: string) => {
    const next = new Set(left)
    if (!next.delete(path)) next.add(path)
    setLeft(next)
  }
  return (
    <section className="pending" aria-label="Changes that wait for you">
      <h3 className="sec-h">
        {files.length} {files.length === 1 ? 'change waits' : 'changes wait'} for you
      </h3>
      <p className="q">
        They were kept apart, since files changed while the command ran. Nothing of it is applied yet.
      </p>
      {files.map((file) => (
        <PendingRow key={file.path} file={file} isChosen={!left.has(file.path)} onToggle={() => toggle(file.path)} />
      ))}
      {apply.error && <Problem text={apply.error.message} />}
      {discard.error && <Problem text={discard.error.message} />}
      <div className="flex wrap">
        <button type="button" className="btn" onClick={() => setDiscarding(true)} disabled={discard.isPending}>
          Discard all…
        </button>
        <span className="grow" />
        {applied && (
          <span className="t1 q" role="status">
            Applied: {applied.join(', ')}
          </span>
        )}
        <button
          type="button"
          className="btn pri"
          disabled={chosen.length === 0 || apply.isPending}
          onClick={() => apply.mutate(chosen)}
        >
          {apply.isPending ? 'Applying…' : `Apply ${chosen.length} of ${files.length}`}
        </button>
      </div>
      <AlertDialog.Root open={isDiscarding} onOpenChange={setDiscarding}>
        <AlertDialog.Portal>
          <AlertDialog.Overlay className="veil" />
          <AlertDialog.Content className="pop dialog">
            <AlertDialog.Title asChild>
              <h2>Discard what this command changed?</h2>
            </AlertDialog.Title>
            <AlertDialog.Description className="q">
              {files.length} {files.length === 1 ? 'change is' : 'changes are'} forgotten. The workspace stays as it is.
              This cannot be undone.
            </AlertDialog.Description>
            <div className="flex" style={{ justifyContent: 'flex-end' }}>
              <AlertDialog.Cancel className="btn big">Keep</AlertDialog.Cancel>
              <AlertDialog.Action className="btn big dan" onClick={() => discard.mutate()}>
                Discard
              </AlertDialog.Action>
            </div>
          </AlertDialog.Content>
        </AlertDialog.Portal>
      </AlertDialog.Root>
    </section>
  )
}

interface RowProps {
  readonly file: PendingFile
  readonly isChosen: boolean
  readonly onToggle: () => void
}

function PendingRow({ file: { path, kind, diff, isConflicting }, isChosen, onToggle }: RowProps) {
  const [isOpen, setOpen] = useState(isConflicting)
  const [Icon, word] = KINDS[kind]
  return (
    <div className="pending-file">
      <div className="flex">
        <label className="flex grow">
          <input type="checkbox" className="box" checked={isChosen} onChange={onToggle} />
          <Icon className="i" strokeWidth={1.75} aria-hidden="true" />
          <code className="cut">
            <Shown text={path} isLine />
          </code>
          <span className="t1 qq">{word}</span>
        </label>
        {isConflicting && (
          <span className="tag bad">
            <TriangleAlert className="i" strokeWidth={1.75} aria-hidden="true" /> changed by others too
          </span>
        )}
        <button type="button" className="linkish" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide' : 'Diff'}
          <span className="sr"> of {path}</span>
        </button>
      </div>
      {isOpen && <DiffView diff={diff} />}
    </div>
  )
}
