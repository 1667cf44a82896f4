import { useMutation } from '@tanstack/react-query'
import { Check, CircleDashed, Copy, Hand, Layers, RefreshCw, ShieldCheck, ShieldX } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { api } from '../api/api.ts'
import { useDoctor, useHealth, useModels, useSessions } from '../api/queries.ts'
import { Page } from '../components/page.tsx'
import { Problem } from '../components/problem.tsx'
import { SessionList } from './session-list.tsx'

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
  const sessions = useSessions()
  const isDemo = models?.chosen === 'demo'
  return (
    <Page
      title={sessions.length > 0 ? 'Sessions' : 'Welcome'}
      actions={
        <Link className="btn" href="/new">
          New session
        </Link>
      }
    >
      <div className="body">
        {sessions.length > 0 && <SessionList sessions={sessions} />}
        <div className="hm">
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
            <ConnectModel />
          </div>
          <Machine />
        </div>
      </div>
    </Page>
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
        Real tools, in <code>{health?.workspace ?? '…'}</code>. Each click starts a session.
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
                <span className="t1 q" style={{ display: 'block' }}>
                  {about}
                </span>
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

function ConnectModel() {
  const models = useModels()
  const found = (word: string) =>
    models?.models.filter(({ name, from }) => `${name} ${from}`.toLowerCase().includes(word)) ?? []
  const ollama = found('ollama')
  const studio = found('lmstudio')
  return (
    <section aria-labelledby="connect">
      <h2 id="connect">Connect a model</h2>
      <p className="q">Haft looks again every 5 s; nothing to restart.</p>
      <div className="rows">
        <Source
          name="Ollama"
          state={ollama.length > 0 ? `${ollama.length} found` : 'not answering on :11434'}
          isThere={ollama.length > 0}
        >
          {ollama.length === 0 && (
            <>
              <span className="x">Install it from ollama.com, then:</span>
              <CopyLine text="ollama pull qwen3:8b" />
            </>
          )}
        </Source>
        <Source
          name="LM Studio"
          state={studio.length > 0 ? `${studio.length} found` : 'not answering on :1234'}
          isThere={studio.length > 0}
        >
          {studio.length === 0 && <span className="x">Load a model and switch the local server on.</span>}
        </Source>
        <Source name="Any other server, or a hosted model" state="" isThere={false}>
          <span className="x">
            Give its provider, address and key; it is tried at once.{' '}
            <Link href="/settings/models/new">Connect a model</Link>
          </span>
        </Source>
      </div>
    </section>
  )
}

interface SourceProps {
  readonly name: string
  readonly state: string
  readonly isThere: boolean
  readonly children?: React.ReactNode
}

function Source({ name, state, isThere, children }: SourceProps) {
  const Icon = isThere ? Check : CircleDashed
  return (
    <div className="src">
      <Icon className={`i ${isThere ? 'ok' : 'off'}`} strokeWidth={1.75} aria-hidden="true" />
      <span className="b">{name}</span>
      <span className="t1 qq">{state}</span>
      {children}
    </div>
  )
}

export function CopyLine({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false)
  return (
    <span className="cmd">
      <code>{text}</code>
      <button
        type="button"
        className="btn bare ico"
        aria-label={isCopied ? 'Copied' : `Copy ${text}`}
        onClick={() =>
          navigator.clipboard?.writeText(text).then(
            () => setCopied(true),
            () => undefined,
          )
        }
      >
        {isCopied ? (
          <Check className="i" strokeWidth={1.75} aria-hidden="true" />
        ) : (
          <Copy className="i" strokeWidth={1.75} aria-hidden="true" />
        )}
      </button>
    </span>
  )
}

/** What works on this machine, as `haft doctor` finds it. */
function Machine() {
  const findings = useDoctor()
  const failed = findings?.filter(({ holds }) => !holds) ?? []
  return (
    <section aria-labelledby="machine" style={{ marginTop: 32 }}>
      <h2 id="machine">What works on this machine</h2>
      {findings === undefined && (
        <p className="q">
          <RefreshCw className="i spin" strokeWidth={1.75} aria-hidden="true" /> Trying the sandbox…
        </p>
      )}
      {findings && failed.length === 0 && (
        <p className="q">
          <ShieldCheck className="i ok" strokeWidth={1.75} aria-hidden="true" /> Everything that was tried works:{' '}
          {findings.length} checks.
        </p>
      )}
      {failed.map(({ what, seen }) => (
        <Problem key={what} text={`${what}: ${seen}`}>
          See <code>haft doctor</code>.
        </Problem>
      ))}
    </section>
  )
}
