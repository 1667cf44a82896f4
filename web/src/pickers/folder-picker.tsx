import { useQuery } from '@tanstack/react-query'
import { ChevronDown, CornerLeftUp, Folder } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useState } from 'react'
import { api } from '../api/api.ts'
import { useWorkspaces } from '../api/queries.ts'
import { Problem } from '../components/problem.tsx'
import { ShortPath } from '../components/short-path.tsx'
import { Shown } from '../components/shown.tsx'

interface Props {
  readonly value: string | undefined
  readonly onChange: (folder: string) => void
}

/** Chooses a workspace: one that was used before, or any folder, by name. */
export function FolderPicker({ value, onChange }: Props) {
  const [isOpen, setOpen] = useState(false)
  const choose = (folder: string) => {
    onChange(folder)
    setOpen(false)
  }
  return (
    <div>
      <span className="lab">Workspace</span>
      <Popover.Root open={isOpen} onOpenChange={setOpen}>
        <Popover.Trigger className="pick" aria-label={`Workspace, ${value ?? 'none'}`}>
          <span className="cut">
            <ShortPath path={value ?? '…'} />
          </span>
          <ChevronDown className="i s" strokeWidth={1.75} aria-hidden="true" />
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content
            className="pop wide-pop"
            align="start"
            sideOffset={4}
            collisionPadding={12}
            aria-label="Workspaces"
          >
            <Recent onChoose={choose} />
            <Browse from={value} onChoose={choose} />
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
    </div>
  )
}

function Recent({ onChoose }: { readonly onChoose: (folder: string) => void }) {
  const recent = useWorkspaces().filter(({ exists }) => exists)
  if (recent.length === 0) return null
  return (
    <>
      <p className="grp">Recent</p>
      {recent.slice(0, 6).map(({ workspace }) => (
        <button key={workspace} type="button" className="opt li-plain" onClick={() => onChoose(workspace)}>
          <Folder className="i" strokeWidth={1.75} aria-hidden="true" />
          <ShortPath path={workspace} />
        </button>
      ))}
    </>
  )
}

function Browse({
  from,
  onChoose,
}: {
  readonly from: string | undefined
  readonly onChoose: (folder: string) => void
}) {
  const [path, setPath] = useState(from)
  const { data, error } = useQuery({
    queryKey: ['folders', path ?? ''],
    queryFn: () => api().listFolders(path === undefined ? {} : { path }),
    retry: false,
  })
  if (error)
    return (
      <div style={{ padding: 8 }}>
        <Problem text={error.message}>
          <button type="button" className="linkish" onClick={() => setPath(undefined)}>
            Start at the home folder
          </button>
        </Problem>
      </div>
    )
  if (!data) return <p className="opt q">Loading…</p>
  return (
    <>
      <p className="grp">
        <span className="cut grow">
          <ShortPath path={data.path} />
        </span>
        <button type="button" className="btn" disabled={data.problem !== null} onClick={() => onChoose(data.path)}>
          Use this folder
        </button>
      </p>
      {data.problem && <p className="opt t1 bad">{data.problem}</p>}
      <div className="scroll">
        {data.parent !== null && (
          <button type="button" className="opt li-plain" onClick={() => setPath(data.parent ?? undefined)}>
            <CornerLeftUp className="i" strokeWidth={1.75} aria-hidden="true" /> Folder above
          </button>
        )}
        {data.folders.map((name) => (
          <button
            key={name}
            type="button"
            className="opt li-plain"
            onClick={() => setPath(`${data.path.replace(/\/$/, '')}/${name}`)}
          >
            <Folder className="i" strokeWidth={1.75} aria-hidden="true" />
            <Shown text={name} isLine />
          </button>
        ))}
        {data.isCut && <p className="opt q">Only the first folders are listed.</p>}
      </div>
    </>
  )
}
