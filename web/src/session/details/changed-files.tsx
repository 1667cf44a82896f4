import { useQuery } from '@tanstack/react-query'
import { FilePen } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useMemo, useState } from 'react'
import { api } from '../../api/api.ts'
import { DiffView } from '../../components/diff-view.tsx'
import { Shown } from '../../components/shown.tsx'
import { type FileChange, readChanges } from './flip-diff.ts'

interface Props {
  readonly session: string
  /** Opens the dialog that undoes all of them. */
  readonly onUndoAll: () => void
}

/** The files that the calls of a session changed and that Haft can restore, each with its diff. */
export function ChangedFiles({ session, onUndoAll }: Props) {
  const [shown, setShown] = useState<FileChange>()
  const { data } = useQuery({
    queryKey: ['undo', 'changes', session],
    retry: false,
    queryFn: async () => {
      const { check } = await api().undo({ id: session, dryRun: true })
      return check?.preview && 'text' in check.preview ? String(check.preview.text) : ''
    },
  })
  const files = useMemo(() => readChanges(data ?? ''), [data])
  if (files.length === 0) return null
  return (
    <section>
      <h2>Changed files</h2>
      <ul>
        {files.map((file) => (
          <li key={file.path}>
            <button
              type="button"
              className="fr"
              onClick={() => setShown(file)}
              title={`Show what changed in ${file.path}`}
            >
              <FilePen className="i s" strokeWidth={1.75} aria-hidden="true" />
              <code className="cut grow">
                <Shown text={file.path} isLine />
              </code>
              {file.added + file.removed > 0 ? (
                <span className="t1 nw">
                  <span className="ok">+{file.added}</span> <span className="bad">−{file.removed}</span>
                </span>
              ) : (
                <span className="t1 qq nw">not text</span>
              )}
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className="linkish" onClick={onUndoAll}>
        Undo all of this session…
      </button>
      {shown && (
        <Dialog.Root open onOpenChange={() => setShown(undefined)}>
          <Dialog.Portal>
            <Dialog.Overlay className="veil" />
            <Dialog.Content className="pop dialog wide-dialog" aria-describedby={undefined}>
              <Dialog.Title asChild>
                <h2>
                  Changed in this session: <code>{shown.path}</code>
                </h2>
              </Dialog.Title>
              <div className="scroll-box">
                <DiffView diff={shown.diff} />
              </div>
              <div className="flex end-row">
                <Dialog.Close className="btn big">Close</Dialog.Close>
              </div>
            </Dialog.Content>
          </Dialog.Portal>
        </Dialog.Root>
      )}
    </section>
  )
}
