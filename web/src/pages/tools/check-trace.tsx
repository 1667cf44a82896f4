import { Check, Hand, ShieldX, Wrench } from 'lucide-react'
import type { CheckReport } from '../../../../src/core/call/check-report.ts'
import { CommandList } from '../../approval/command-list.tsx'
import { Shown } from '../../components/shown.tsx'

const LOOK = {
  allow: [Check, 'ok', 'allows'],
  ask: [Hand, 'ask', 'asks'],
  deny: [ShieldX, 'bad', 'denies'],
  invalid: [ShieldX, 'bad', 'is not valid'],
} as const
const LAYERS: Readonly<Record<string, string>> = {
  ...{ defaults: 'default', user: 'yours', project: 'project', grants: 'grant', 'untrusted project': 'project' },
}

/** Why: how the call was read, what each rule that matched said, and what that comes to. */
export function CheckTrace({ report }: { readonly report: CheckReport }) {
  const { trace, repairs = [], summary, decision, effects = [] } = report
  if (decision === 'invalid') return null
  const commands = summary?.commands ?? []
  const [Icon, colour] = LOOK[decision]
  return (
    <>
      {commands.length > 0 && (
        <>
          <h3 className="sec-h">What Haft read</h3>
          <div className="narrow-cmds">
            <CommandList commands={commands} trace={trace} />
          </div>
        </>
      )}
      <h3 className="sec-h">Why: the trace</h3>
      <ol className="trace">
        <li>
          {repairs.length > 0 ? (
            <Wrench className="i" strokeWidth={1.75} aria-hidden="true" />
          ) : (
            <Check className="i ok" strokeWidth={1.75} aria-hidden="true" />
          )}
          <span>
            <b>Valid</b> against the schema, {repairs.length > 0 ? repairs.join('; ') : 'nothing to repair'}
          </span>
          <span className="t1 qq nw">validate</span>
        </li>
        {effects.length > 0 && (
          <li>
            <Check className="i ok" strokeWidth={1.75} aria-hidden="true" />
            <span>
              <b>Read:</b> it <Shown text={effects.join(', ')} />
            </span>
            <span className="t1 qq nw">touches</span>
          </li>
        )}
        {trace.map(({ layer, rule, decision: said, reason }) => {
          const [Mark, look, word] = LOOK[said]
          return (
            <li key={`${layer} ${rule} ${reason}`}>
              <Mark className={`i ${look}`} strokeWidth={1.75} aria-hidden="true" />
              <span>
                <code>{rule}</code> <b>{word}</b>: <Shown text={reason} />
              </span>
              <span className="t1 qq nw">{LAYERS[layer] ?? layer}</span>
            </li>
          )
        })}
        <li>
          <Icon className={`i ${colour}`} strokeWidth={1.75} aria-hidden="true" />
          <span>
            <b>Decision: {decision}.</b>{' '}
            {trace.length === 0 ? 'No rule matches; the effect of the tool decides.' : DECIDED[decision]}
          </span>
          <span className="t1 qq nw">judge</span>
        </li>
      </ol>
    </>
  )
}

const DECIDED = {
  allow: 'No rule denies or asks above it.',
  ask: 'No rule denies, so the last layer with an answer decides.',
  deny: 'Any deny wins.',
} as const
