import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { Link } from 'wouter'
import { api } from '../api/api.ts'
import { useDoctor, useModels } from '../api/queries.ts'
import { CodeBlock } from '../components/code-block.tsx'
import { Page } from '../components/page.tsx'
import { Problem } from '../components/problem.tsx'

/** Models, what works on this machine, and the settings in force. */
export function SettingsPage() {
  const models = useModels()
  const findings = useDoctor()
  const queries = useQueryClient()
  const { data: settings, error } = useQuery({ queryKey: ['settings'], queryFn: () => api().getSettings({}) })
  const remove = useMutation({
    mutationFn: (name: string) => api().removeModel({ name }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['models'] }),
  })
  return (
    <Page
      title="Settings"
      actions={
        <Link className="btn" href="/settings/models/new">
          Connect a model
        </Link>
      }
    >
      <div className="body pad" style={{ maxWidth: 820 }}>
        {(error ?? remove.error) && <Problem text={(error ?? remove.error)?.message ?? ''} />}
        <nav aria-label="More pages" className="flex only-s">
          <Link href="/rules">Rules</Link> <Link href="/log">Log</Link>
        </nav>
        <h2>Models</h2>
        <ul className="rows">
          {models?.models.map(({ name, from, isManaged, problem }) => (
            <li key={name} className="flex" style={{ padding: '6px 12px' }}>
              <span className="grow">
                <code className="b">{name}</code> <span className="qq">{problem ?? from}</span>
              </span>
              {isManaged && (
                <button type="button" className="btn" onClick={() => remove.mutate(name)}>
                  Remove
                </button>
              )}
            </li>
          ))}
        </ul>
        <h2 style={{ marginTop: 24 }}>What works on this machine</h2>
        <ul className="rows">
          {findings?.map(({ what, holds, seen }) => (
            <li key={what} className="flex" style={{ padding: '6px 12px', alignItems: 'flex-start' }}>
              {holds ? (
                <Check className="i ok" strokeWidth={1.75} aria-hidden="true" />
              ) : (
                <X className="i bad" strokeWidth={1.75} aria-hidden="true" />
              )}
              <span className="grow">
                <span className="sr">{holds ? 'Works: ' : 'Does not work: '}</span>
                {what} <span className="q">{seen}</span>
              </span>
            </li>
          ))}
        </ul>
        <h2 style={{ marginTop: 24 }}>Settings in force</h2>
        {settings && <CodeBlock code={JSON.stringify(settings, null, 2)} language="json" />}
      </div>
    </Page>
  )
}
