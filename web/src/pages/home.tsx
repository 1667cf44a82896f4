import { useMutation } from '@tanstack/react-query'
import { Check, Hand, Layers, Plus, ShieldX } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { api } from '../api/api.ts'
import { useHealth, useModels, useSessionList } from '../api/queries.ts'
import { Page } from '../components/page.tsx'
import { Problem } from '../components/problem.tsx'
import { ShortPath } from '../components/short-path.tsx'
import { ModelSources } from './home/model-sources.tsx'
import { SessionList } from './home/session-list.tsx'
import { ThisMachine } from './home/this-machine.tsx'

const TRIES = [
  ['list files', 'Runs at once: reading is free inside the workspace', 'runs'],
  ['write hello.txt with "Hello!"', 'Runs at once: a new file; undo with one click', 'runs'],
  ['delete hello.txt', 'Asks you first', 'asks'],
  ['read .env', 'Blocked by a rule; see which, and why', 'blocked'],
  ['run sleep 60 in background', 'Becomes a task that you can watch and cancel', 'task'],
] as const

const TAGS = {
  runs: [Check, 'ok'],
  asks: [Hand, 'ask'],
  blocked: [ShieldX, 'bad'],
  task: [Layers, 'run'],
} as const

/** The first page: sessions, or on a first start what to try and how to connect a model. */
export function HomePage() {
  const models = useModels(true)
  const { sessions, isLoaded } = useSessionList()
  const isDemo = models?.chosen === 'demo'
  const isFirst = sessions.length === 0
  return (
    <Page
      title={isFirst && isLoaded ? 'Welcome' : 'Sessions'}
      actions={
        <Link className="btn" href="/new">
          <Plus className="i" strokeWidth={1.75} aria-hidden="true" />
          <span>New session</span>
        </Link>
      }
    >
      <div className="body">
        {!isFirst && <SessionList sessions={sessions} />}
        {isLoaded && models && (isFirst || isDemo) && <Teach isDemo={isDemo} isFirst={isFirst} />}
      </div>
    </Page>
  )
}

/** What can be tried without anything, and how to connect a model. */
function Teach({ isDemo, isFirst }: { readonly isDemo: boolean; readonly isFirst: boolean }) {
  return (
    <div className={`hm${isFirst ? '' : ' later'}`}>
      <h2 className="big-h">{isDemo ? 'No model found. You can start without one.' : 'Give a model a task.'}</h2>
      <p className="q">
        Haft runs tool calls for language models, shuts them in a sandbox, and asks you before one could do harm.
      </p>
      {isDemo && (
        <p className="q">
          The demo model understands a few plain commands and makes real calls, so you can see all of it now.
        </p>
      )}
      <div className="cols">
        <TryDemo />
        <ModelSources />
      </div>
      {isFirst && <ThisMachine />}
    </div>
  )
}

function TryDemo() {
  const [, go] = useLocation()
  const health = useHealth()
  const start = useMutation({
    mutationFn: (message: string) => api().createSession({ message, model: 'demo' }),
    onSuccess: ({ session }) => go(`/sessions/${session.session}`),
  })
  return (
    <section aria-labelledby="try">
      <h2 id="try">Try it with the demo model</h2>
      <p className="q">
        Real tools, in <ShortPath path={health?.workspace ?? '…'} />. Each click starts a session.
      </p>
      <div className="rows">
        {TRIES.map(([text, about, tag]) => {
          const [Icon, colour] = TAGS[tag]
          return (
            <button
              key={text}
              type="button"
              className="try"
              disabled={start.isPending}
              onClick={() => start.mutate(text)}
            >
              <span className="grow">
                <code>{text}</code>
                <span className="about">{about}</span>
              </span>
              <span className={`tag ${colour}`}>
                <Icon className="i" strokeWidth={1.75} aria-hidden="true" />
                {tag}
              </span>
            </button>
          )
        })}
      </div>
      {start.error && <Problem text={start.error.message} />}
    </section>
  )
}
