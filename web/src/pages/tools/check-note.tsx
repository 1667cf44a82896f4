import { Check, Hand, type LucideIcon, ShieldX } from 'lucide-react'
import type { CheckReport } from '../../../../src/core/call/check-report.ts'
import { Shown } from '../../components/shown.tsx'

const LOOK: Readonly<Record<CheckReport['decision'], readonly [LucideIcon, string, string]>> = {
  allow: [Check, 'ok', 'Would run without asking.'],
  ask: [Hand, 'ask', 'Would ask you.'],
  deny: [ShieldX, 'bad', 'Blocked.'],
  invalid: [ShieldX, 'bad', 'Not valid.'],
}

/** What would happen to a call, in one sentence. */
export function CheckNote({ report }: { readonly report: CheckReport }) {
  const { decision, rule, text, trace, code } = report
  const isRefused = decision === 'allow' && code !== undefined
  const [Icon, colour, words] = isRefused ? ([ShieldX, 'bad', 'Would fail.'] as const) : LOOK[decision]
  const layer = trace.find((one) => one.rule === rule)?.layer
  const reason = trace.find((one) => one.rule === rule)?.reason
  return (
    <div className={`note ${colour}`} role="status">
      <Icon className="i" strokeWidth={1.75} aria-hidden="true" />
      <p className="grow">
        <b>{words}</b>{' '}
        {rule !== undefined && decision !== 'invalid' && !isRefused ? (
          <>
            Rule <code>{rule}</code>{' '}
            {layer && `in ${layer === 'defaults' ? 'the default rules' : `the layer ${layer}`}`}:{' '}
            <Shown text={reason ?? text} />
          </>
        ) : (
          <Shown text={text} />
        )}
      </p>
    </div>
  )
}
