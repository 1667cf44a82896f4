import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Folder } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { api } from '../../api/api.ts'
import { useTools } from '../../api/queries.ts'
import { Problem } from '../../components/problem.tsx'
import { Shown } from '../../components/shown.tsx'
import { LoadState } from '../../lists/load-state.tsx'
import { FolderBrowser } from './folder-browser.tsx'

/** Folders with the person's own tools: what each holds; add one, or remove one that was added here. */
export function ToolFoldersSection() {
  const queries = useQueryClient()
  const query = useQuery({ queryKey: ['tool-folders'], queryFn: () => api().listToolFolders({}), retry: 1 })
  const { tools, skipped } = useTools({ every: 1 })
  const [path, setPath] = useState('')
  const refresh = {
    onSettled: () => {
      queries.invalidateQueries({ queryKey: ['tool-folders'] })
      queries.invalidateQueries({ queryKey: ['tools'] })
    },
  }
  const add = useMutation({
    mutationFn: () => api().addToolFolder({ path: path.trim() }),
    onSuccess: () => setPath(''),
    ...refresh,
  })
  const remove = useMutation({ mutationFn: (folder: string) => api().removeToolFolder({ path: folder }), ...refresh })
  const folders = query.data?.folders ?? []
  const left = skipped.filter(({ isWarning }) => !isWarning)
  const countIn = (folder: string, list: readonly { readonly source: string }[]) =>
    list.filter(({ source }) => source.startsWith(`${folder}/`)).length
  return (
    <section aria-labelledby="folders-h">
      <h2 id="folders-h" className="title">
        Tool folders
      </h2>
      <p className="q">
        Every <code>.py</code> file with <code>TOOL_SPECS</code> and every TypeScript tool in these folders is offered
        within a second of being saved. These tools run with all of your rights.
      </p>
      <LoadState query={query} what="folders" isEmpty={folders.length === 0} empty="None yet." />
      <ul className="cards">
        {folders.map(({ path: folder, from, isManaged, exists }) => {
          const [offered, broken] = [countIn(folder, tools), countIn(folder, left)]
          return (
            <li key={folder} className="card-row" data-folder={folder}>
              <div className="flex wrap">
                <Folder className="i" strokeWidth={1.75} aria-hidden="true" />
                <code className="b">
                  <Shown text={folder} isLine />
                </code>
                <span className="t1 q">
                  {exists ? `${offered} ${offered === 1 ? 'tool' : 'tools'}` : 'not there yet'}
                  {broken > 0 && `, ${broken} skipped`}
                </span>
                <span className="grow" />
                {offered + broken > 0 && <Link href={`/tools?q=${encodeURIComponent(folder)}`}>Show them</Link>}
                {isManaged && (
                  <button
                    type="button"
                    className="btn"
                    disabled={remove.isPending}
                    onClick={() => remove.mutate(folder)}
                  >
                    Remove<span className="sr"> {folder}</span>
                  </button>
                )}
              </div>
              <p className="t1 qq">{from === 'default' ? 'always looked at' : from}</p>
            </li>
          )
        })}
      </ul>
      {remove.error && <Problem text={remove.error.message} />}
      <form
        className="sub-form"
        onSubmit={(event) => {
          event.preventDefault()
          add.mutate()
        }}
      >
        <h3 className="sec-h">Add a folder</h3>
        <div className="fld">
          <label className="lab" htmlFor="folder-path">
            Folder <span className="qq">required</span>
          </label>
          <input id="folder-path" className="in m" value={path} onChange={({ target }) => setPath(target.value)} />
          <p className="help">Type its path, or choose it below. It must lie outside of every workspace.</p>
        </div>
        <FolderBrowser value={path} onChoose={setPath} />
        <button type="submit" className="btn pri" disabled={add.isPending || path.trim() === ''}>
          {add.isPending ? 'Adding…' : 'Add this folder'}
        </button>
        {add.error && <Problem text={add.error.message}>It was not added.</Problem>}
        {add.data && (
          <p className="note ok" role="status">
            <Check className="i" strokeWidth={1.75} aria-hidden="true" />
            <span className="grow">
              <code>{add.data.path}</code> is added. Its tools are on the page <Link href="/tools">Tools</Link>.
            </span>
          </p>
        )}
      </form>
    </section>
  )
}
