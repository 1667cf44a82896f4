import { useMutation } from '@tanstack/react-query'
import { Check, Hand, ShieldX } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Mode } from '../../../src/core/session/mode.ts'
import { api } from '../api/api.ts'
import { useHealth, useModels } from '../api/queries.ts'
import { AttachmentBar, useAttachments } from '../components/message/attachments.tsx'
import { MessageField } from '../components/message/message-field.tsx'
import { Page } from '../components/page.tsx'
import { Problem } from '../components/problem.tsx'
import { ShortPath } from '../components/short-path.tsx'
import { ToolPicker } from '../components/tool-picker.tsx'
import { FolderPicker } from '../pickers/folder-picker.tsx'
import { ModePicker } from '../pickers/mode-picker.tsx'
import { ModelPicker } from '../pickers/model-picker.tsx'
import { useSelection } from '../pickers/use-selection.ts'

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
  const page = useRef<HTMLFormElement>(null)
  const folder = workspace ?? health?.workspace
  useEffect(() => page.current?.querySelector('textarea')?.focus(), [])
  const start = useMutation({
    mutationFn: () =>
      api().createSession({
        message,
        mode,
        ...(attachments.list.length > 0 && { attachments: attachments.list }),
        ...(model !== undefined && { model }),
        ...(workspace !== undefined && { workspace }),
        ...selection.chosen,
      }),
    onSuccess: ({ session }) => go(`/sessions/${session.session}`),
  })
  const canStart = message.trim() !== '' && !start.isPending
  return (
    <Page title="New session" className="p-new">
      <div className="body">
        <form
          ref={page}
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
            <MessageField
              id="first"
              rows={5}
              value={message}
              onChange={setMessage}
              workspace={folder}
              onPaste={attachments.onPaste}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.metaKey || event.ctrlKey) && canStart) start.mutate()
              }}
            />
            <AttachmentBar
              attachments={attachments}
              hint={
                <>
                  Type <code>@</code> to name a file. Paste or attach images.{' '}
                  <span className="hide-s">
                    <kbd>Ctrl</kbd> <kbd>↵</kbd> starts.
                  </span>
                </>
              }
            />
            <div className="g2 f">
              <ModelPicker models={models} value={model ?? models?.chosen} onChange={setModel} />
              <FolderPicker value={folder} onChange={setWorkspace} />
            </div>
            <div className="f">
              <ModePicker value={mode} onChange={setMode} />
            </div>
            <div className="g3 f">
              <ToolPicker
                label="Local tools"
                items={selection.local}
                broken={selection.broken}
                selected={selection.selectedTools}
                onChange={selection.setTools}
                empty="Put a .py file with TOOL_SPECS into ~/.haft/tools; its tools appear here at once."
              />
              <ToolPicker
                label="MCP servers"
                items={selection.servers}
                selected={selection.selectedServers}
                onChange={selection.setServers}
                empty="No MCP server is configured. Add one on the page Settings, or with haft mcp add."
              />
              <ToolPicker
                label="Built-in tools"
                items={selection.builtIn}
                selected={selection.selectedTools}
                onChange={selection.setTools}
                empty="There are none."
              />
            </div>
            <p className="help">All are selected at first. The selection is locked with the first message.</p>
            <label className="flex help control-tools">
              <input
                type="checkbox"
                className="box"
                checked={!selection.isOnly}
                onChange={({ target }) => selection.setOnly(!target.checked)}
              />
              <span>
                With the control tools, which come with any selection: <code>{selection.control.join(', ')}</code>
              </span>
            </label>
            {start.error && <Problem text={start.error.message} />}
            <div className="flex f end-row">
              <button type="submit" className="btn pri big" disabled={!canStart}>
                {start.isPending ? 'Starting…' : 'Start session'}
              </button>
            </div>
          </div>
          <MayDo mode={mode} workspace={folder ?? ''} />
        </form>
      </div>
    </Page>
  )
}

interface Verdicts {
  readonly free: ReactNode
  readonly asks: ReactNode
}

/** What each mode lets a session do; what is blocked is blocked in all of them. */
const VERDICTS: Readonly<Record<Mode, Verdicts>> = {
  plan: {
    free: 'run commands that certainly only read, such as git log and grep',
    asks: 'nothing: whatever would change something is refused',
  },
  ask: {
    free: 'make new files, run everyday commands such as git status and npm test',
    asks: 'changing or deleting what exists, commands with unknown effects, the network',
  },
  review: {
    free: 'make new files, run commands on a copy',
    asks: 'applying what a command changed, changing files with a tool, the network',
  },
  edit: {
    free: 'change and delete files and run commands: all of it can be undone',
    asks: 'the network, files that other programs run, what is too large to undo',
  },
  auto: { free: 'everything that no rule blocks, the network too', asks: 'only what your own rules ask' },
}

function MayDo({ mode, workspace }: { readonly mode: Mode; readonly workspace: string }) {
  const { free, asks } = VERDICTS[mode]
  return (
    <aside className="may" aria-labelledby="may">
      <h2 id="may">What it may do</h2>
      <ul>
        <li>
          <Check className="i ok" strokeWidth={1.75} aria-hidden="true" />
          <span>
            <span className="b">Without asking:</span> read in <ShortPath path={workspace} />, {free}
          </span>
        </li>
        <li>
          <Hand className="i ask" strokeWidth={1.75} aria-hidden="true" />
          <span>
            <span className="b">Asks you:</span> {asks}
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
