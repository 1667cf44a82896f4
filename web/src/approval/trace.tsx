import { Check, Hand, ShieldX } from 'lucide-react'
import type { Opinion } from '../../../src/core/rules/rule.ts'
import { asSentence } from '../components/sentence-case.ts'
import { Shown } from '../components/shown.tsx'

const LOOK = { allow: [Check, 'ok', 'allowed'], ask: [Hand, 'ask', 'asks'], deny: [ShieldX, 'bad', 'blocks'] } as const

/** What each rule that matched said about a call. */
export function Trace({ trace }: { readonly trace: readonly Opinion[] }) {
  return (
    <ul className="trace">
      {trace.map(({ layer, rule, decision, reason }) => {
        const [Icon, colour, word] = LOOK[decision]
        return (
          <li key={`${layer} ${rule} ${reason}`}>
            <Icon className={`i ${colour}`} strokeWidth={1.75} aria-hidden="true" />
            <span>
              <code>{rule}</code>{' '}
              <span className="q">in {layer === 'defaults' ? 'the default rules' : `the layer ${layer}`}.</span>{' '}
              <Shown text={asSentence(reason)} />
            </span>
            <span className={colour}>{word}</span>
          </li>
        )
      })}
    </ul>
  )
}
