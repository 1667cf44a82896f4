import { useQuery } from '@tanstack/react-query'
import { CornerLeftUp, Folder } from 'lucide-react'
import { api } from '../../api/api.ts'
import { Problem } from '../../components/problem.tsx'
import { Shown } from '../../components/shown.tsx'

interface Props {
  readonly value: string
  readonly onChoose: (folder: string) => void
}

/** The folders of this machine, by name, to choose one without typing. */
export function FolderBrowser({ value, onChoose }: Props) {
  const from = value.startsWith('/') ? value : undefined
  const { data, error } = useQuery({
    queryKey: ['folders', from ?? ''],
    queryFn: () => api().listFolders(from === undefined ? {} : { path: from }),
    retry: false,
    placeholderData: (before) => before,
  })
  if (error && data === undefined) return <Problem text={error.message} />
  if (!data) return <p className="q">Loading the folders…</p>
  const { path, parent, folders, isCut } = data
  return (
    <div className="browser">
      <p className="t1 qq m cut">{path}</p>
      <ul aria-label="Folders">
        {parent !== null && (
          <li>
            <button type="button" className="opt li-plain" onClick={() => onChoose(parent)}>
              <CornerLeftUp className="i" strokeWidth={1.75} aria-hidden="true" /> The folder above
            </button>
          </li>
        )}
        {folders.map((name) => (
          <li key={name}>
            <button
              type="button"
              className="opt li-plain"
              onClick={() => onChoose(path === '/' ? `/${name}` : `${path}/${name}`)}
            >
              <Folder className="i" strokeWidth={1.75} aria-hidden="true" />
              <span className="cut">
                <Shown text={name} isLine />
              </span>
            </button>
          </li>
        ))}
        {folders.length === 0 && <li className="opt q">No folders inside.</li>}
        {isCut && <li className="opt q">There are more.</li>}
      </ul>
    </div>
  )
}
