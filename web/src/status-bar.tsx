import { Cpu, Folder, Layers, Plug, ShieldAlert, ShieldCheck, Wrench } from 'lucide-react'
import { useRoute } from 'wouter'
import { useConnection } from './api/hub.tsx'
import { useHealth, useModels, useSandbox, useSessionTools, useTasks, useTools } from './api/queries.ts'
import { ShortPath } from './components/short-path.tsx'

const WORDS = { connected: 'Connected', connecting: 'Connecting…', lost: 'No connection' } as const

/** What is in use now: model, workspace, tools, tasks, sandbox, connection. */
export function StatusBar() {
  const connection = useConnection()
  const models = useModels()
  const health = useHealth()
  const [, params] = useRoute('/sessions/:id')
  const present = useTools().tools
  const own = useSessionTools(params?.id)
  // Control tools are not counted, as in every selection.
  const count = (own ?? present).filter(({ isControl }) => !isControl).length
  const tasks = useTasks().filter(({ state }) => state !== 'ended')
  const sandbox = useSandbox()
  const Shield = sandbox === false ? ShieldAlert : ShieldCheck
  return (
    <footer className="status">
      <span>
        <Cpu className="i" strokeWidth={1.75} aria-hidden="true" />
        {models?.chosen ?? '…'}
      </span>
      {health && (
        <span>
          <Folder className="i" strokeWidth={1.75} aria-hidden="true" />
          <ShortPath path={health.workspace} />
        </span>
      )}
      <span>
        <Wrench className="i" strokeWidth={1.75} aria-hidden="true" />
        {count} {count === 1 ? 'tool' : 'tools'}
        {own && ' in this session'}
      </span>
      {tasks.length > 0 && (
        <span>
          <Layers className="i" strokeWidth={1.75} aria-hidden="true" />
          {tasks.length} {tasks.length === 1 ? 'task' : 'tasks'}
        </span>
      )}
      <span className="right">
        <Shield className={`i ${sandbox === false ? 'bad' : 'ok'}`} strokeWidth={1.75} aria-hidden="true" />
        {sandbox === undefined ? 'Sandbox' : sandbox ? 'Sandbox on' : 'Sandbox does not work'}
      </span>
      <span role="status">
        <Plug className={`i ${connection === 'lost' ? 'bad' : 'ok'}`} strokeWidth={1.75} aria-hidden="true" />
        {WORDS[connection]}
      </span>
    </footer>
  )
}
