import { useMutation } from '@tanstack/react-query'
import { Check, Hand, ShieldX } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Mode } from '../../../src/core/session/mode.ts'
import { api } from '../api/api.ts'
import { useHealth, useModels, useTools } from '../api/queries.ts'
import { AttachmentBar, useAttachments } from '../components/attachments.tsx'
import { Page } from '../components/page.tsx'
import { Problem } from '../components/problem.tsx'
import { ToolPicker } from '../components/tool-picker.tsx'
import { FolderPicker } from './folder-picker.tsx'
import { ModePicker } from './mode-picker.tsx'
import { ModelPicker } from './model-picker.tsx'

/** Starts a session: first message, model, mode, workspace, and which tools it may use. */
export function NewSessionPage() {
  const [, go] = useLocation()
  const health = useHealth()
  const models = useModels()
  const [message, setMessage] = useState('')
  const [model, setModel] = useState<string>()
  const [mode, setMode] = useState<Mode>('ask')
  const [workspace, setWorkspace] = useState<string>()
  const attachments = useAttachments()
  const selection = useSelection(workspace)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const start = useMutation({
    mutationFn: () =>
      api().createSession({
        message,
        mode,
        ...(attachments.list.length > 0 && { attachments: attachments.list }),
        ...(model !== undefined && { model }),
        ...(workspace !== undefined && { workspace }),
        ...(selection.chosen !== undefined && { tools: selection.chosen }),
      }),
    onSuccess: ({ session }) => go(`/sessions/${session.session}`),
  })
  const canStart = message.trim() !== '' && !start.isPending
  return (
    <Page title="New session" className="p-new">
      <div className="body">
        <form
          className="nsw"
          onSubmit={(event) => {
            event.preventDefault()
            if (canStart) start.mutate()
          }}
        >
          <div>
            <label className="lab" htmlFor="first">
              First message
            </label>
            <textarea
              id="first"
              ref={field}
              className="in"
              rows={5}
              value={message}
              onChange={({ target }) => setMessage(target.value)}
              onPaste={attachments.onPaste}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.metaKey || event.ctrlKey) && canStart) start.mutate()
              }}
            />
            <AttachmentBar attachments={attachments} hint="Ctrl ↵ starts. Paste or attach files and images." />
            <div className="g2 f">
              <ModelPicker models={models} value={model ?? models?.chosen} onChange={setModel} />
              <FolderPicker value={workspace ?? health?.workspace} onChange={setWorkspace} />
            </div>
            <div className="f">
              <ModePicker value={mode} onChange={setMode} />
            </div>
            <div className="g3 f">
              <ToolPicker
                label="Local tools"
                items={selection.local}
                broken={selection.broken}
                selected={selection.selected}
                onChange={selection.setSelected}
                empty="Put a .py file with TOOL_SPECS into ~/.haft/tools; it appears here at once."
              />
              <ToolPicker
                label="MCP servers"
                items={selection.servers}
                selected={selection.selected}
                onChange={selection.setSelected}
                empty="No MCP server is configured."
              />
              <ToolPicker
                label="Built-in tools"
                items={selection.builtIn}
                selected={selection.selected}
                onChange={selection.setSelected}
                empty="There are none."
              />
            </div>
            <p className="help">All tools are selected at first. The selection is locked with the first message.</p>
            {start.error && <Problem text={start.error.message} />}
            <div className="flex f" style={{ justifyContent: 'flex-end' }}>
              <button type="submit" className="btn pri big" disabled={!canStart}>
                {start.isPending ? 'Starting…' : 'Start session'}
              </button>
            </div>
          </div>
          <MayDo workspace={workspace ?? health?.workspace ?? ''} />
        </form>
      </div>
    </Page>
  )
}

/** The tools of a workspace in groups, and which of them are selected: all, until the person changes it. */
function useSelection(workspace: string | undefined) {
  const { tools, skipped } = useTools({ workspace, isWatched: true })
  const [deselected, setDeselected] = useState<ReadonlySet<string>>(new Set())
  return useMemo(() => {
    const pickable = tools.filter(({ isControl }) => !isControl)
    const grouped = pickable.map(({ name, description, source, origin }) => ({
      name,
      description,
      group: origin === 'built-in' ? 'Built in' : source,
      origin,
    }))
    const names = pickable.map(({ name }) => name)
    const selected: ReadonlySet<string> = new Set(names.filter((name) => !deselected.has(name)))
    return {
      local: grouped.filter(({ origin }) => origin === 'user' || origin === 'project' || origin === 'code'),
      servers: grouped.filter(({ origin }) => origin === 'mcp'),
      builtIn: grouped.filter(({ origin }) => origin === 'built-in'),
      broken: skipped.filter(({ isWarning }) => !isWarning),
      selected,
      setSelected: (next: ReadonlySet<string>) => setDeselected(new Set(names.filter((name) => !next.has(name)))),
      /** Absent means all. */
      chosen: selected.size === names.length ? undefined : [...selected],
    }
  }, [tools, skipped, deselected])
}

function MayDo({ workspace }: { readonly workspace: string }) {
  return (
    <aside className="may" aria-labelledby="may">
      <h2 id="may">What it may do</h2>
      <ul>
        <li>
          <Check className="i ok" strokeWidth={1.75} aria-hidden="true" />
          <span>
            <span className="b">Without asking:</span> read in <code>{workspace}</code>, make new files, everyday
            commands such as git status and npm test
          </span>
        </li>
        <li>
          <Hand className="i ask" strokeWidth={1.75} aria-hidden="true" />
          <span>
            <span className="b">Asks you:</span> change or delete what exists, commands with unknown effects, the
            network
          </span>
        </li>
        <li>
          <ShieldX className="i bad" strokeWidth={1.75} aria-hidden="true" />
          <span>
            <span className="b">Never:</span> secrets, files outside the workspace, Haft’s own settings
          </span>
        </li>
      </ul>
      <Link href="/rules">All rules</Link>
    </aside>
  )
}
