import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { File } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { api } from '../../api/api.ts'
import { Shown } from '../shown.tsx'

interface Props {
  readonly id: string
  readonly workspace: string
  readonly query: string
  readonly onChoose: (path: string) => void
  /** Called with the id of the marked option. */
  readonly onActive: (id: string | undefined) => void
  /** Set to a function that handles a key of the text field; true if it was for the menu. */
  readonly handleKey: RefObject<(key: string) => boolean>
}

/** The files of the workspace that fit what is typed after `@`. The text field keeps the focus. */
export default function FileMenu({ id, workspace, query, onChoose, onActive, handleKey }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const [marked, setMarked] = useState('')
  const { data } = useQuery({
    queryKey: ['files', workspace, query],
    queryFn: ({ signal }) => api().findFiles({ workspace, q: query }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 2_000,
  })
  const files = data?.files ?? []
  const current = files.includes(marked) ? marked : (files[0] ?? '')
  handleKey.current = (key) => {
    if (files.length === 0) return false
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
    if (step !== 0) setMarked(files[(files.indexOf(current) + step + files.length) % files.length] ?? '')
    else if (key === 'Enter' || key === 'Tab') onChoose(current)
    else return false
    return true
  }
  useEffect(() => {
    const option = list.current?.querySelector(`[data-path="${CSS.escape(current)}"]`)
    option?.scrollIntoView({ block: 'nearest' })
    onActive(option?.id)
    return () => onActive(undefined)
  }, [current, onActive])
  return (
    <Command className="pop file-menu" shouldFilter={false} value={current} label="Files">
      <Command.List className="scroll" id={id} ref={list} label="Files of the workspace">
        {data && files.length === 0 && <p className="opt q">No file matches “{query}”.</p>}
        {files.map((path) => (
          <Command.Item
            key={path}
            className="opt"
            value={path}
            data-path={path}
            // The field must not lose the focus.
            onMouseDown={(event) => event.preventDefault()}
            onSelect={() => onChoose(path)}
          >
            <File className="i" strokeWidth={1.75} aria-hidden="true" />
            <code className="cut">
              <Shown text={path} isLine />
            </code>
          </Command.Item>
        ))}
      </Command.List>
    </Command>
  )
}
