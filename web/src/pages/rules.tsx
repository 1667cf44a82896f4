import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Hand, ShieldX } from 'lucide-react'
import { api } from '../api/api.ts'
import { Page } from '../components/page.tsx'
import { Problem } from '../components/problem.tsx'
import { Shown } from '../components/shown.tsx'

const LOOK = { allow: [Check, 'ok', 'allows'], ask: [Hand, 'ask', 'asks'], deny: [ShieldX, 'bad', 'blocks'] } as const

/** The rules in force, by layer, and the grants that the person has given. */
export function RulesPage() {
  const queries = useQueryClient()
  const rules = useQuery({ queryKey: ['rules'], queryFn: () => api().listRules({}) })
  const grants = useQuery({ queryKey: ['grants'], queryFn: () => api().listGrants({}) })
  const revoke = useMutation({
    mutationFn: (id: string) => api().revokeGrant({ id }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['grants'] }),
  })
  const problem = rules.error ?? grants.error ?? revoke.error
  return (
    <Page title="Rules">
      <div className="body pad">
        {problem && <Problem text={problem.message} />}
        <h2>Grants</h2>
        {grants.data?.grants.length === 0 && <p className="q">None. Approve and remember gives one.</p>}
        <ul className="rows">
          {grants.data?.grants.map(({ id, tool, text, used }) => (
            <li key={id} className="flex" style={{ padding: '6px 12px' }}>
              <span className="grow">
                <code>{tool}</code> <Shown text={text} /> <span className="qq">used {used} times</span>
              </span>
              <button type="button" className="btn" onClick={() => revoke.mutate(id)}>
                Revoke
              </button>
            </li>
          ))}
        </ul>
        <h2 style={{ marginTop: 24 }}>Rules</h2>
        <ul className="rows">
          {rules.data?.rules.map(({ layer, rule }) => {
            const [Icon, colour, word] = LOOK[rule.decision]
            return (
              <li
                key={`${layer} ${rule.name}`}
                className="flex"
                style={{ padding: '6px 12px', alignItems: 'flex-start' }}
              >
                <Icon className={`i ${colour}`} strokeWidth={1.75} aria-hidden="true" />
                <span className="grow">
                  <code className="b">{rule.name}</code> <span className={colour}>{word}</span>{' '}
                  <span className="qq">{layer === 'defaults' ? 'default' : layer}</span>
                  {rule.reason && (
                    <span className="q" style={{ display: 'block' }}>
                      <Shown text={rule.reason} />
                    </span>
                  )}
                </span>
              </li>
            )
          })}
        </ul>
      </div>
    </Page>
  )
}
