import { RadioGroup } from 'radix-ui'
import { useEffect, useRef, useState } from 'react'
import type { GrantChoice as Choice, GrantOffer } from '../../../src/core/approval/grant.ts'

interface Props {
  readonly offers: readonly GrantOffer[]
  /** False for a call that cannot be undone: it is never remembered for good, nor for a folder. */
  readonly canBeUnlimited: boolean
  /** True for a job of a plan: the grant can hold for all of the job or plan. */
  readonly isInPlan: boolean
  readonly onChange: (choice: Choice | undefined) => void
}

type Limit = 'once' | 'times' | 'minutes' | 'session' | 'job' | 'plan' | 'always'

const WORDS: Readonly<Record<Limit, string>> = {
  once: 'this call only',
  times: 'more times',
  minutes: 'minutes',
  session: 'this session',
  job: 'this job of the plan, every try',
  plan: 'this plan, every job',
  always: 'always, until you revoke it',
}

const LIMITS: readonly Limit[] = ['once', 'times', 'minutes', 'session', 'job', 'plan', 'always']

/** Lets the person choose which later calls an approval also covers, and for how long. */
export function GrantForm({ offers: given, canBeUnlimited, isInPlan, onChange }: Props) {
  const offers = canBeUnlimited ? given : given.filter((one) => one.scope.kind !== 'folder')
  const limits = LIMITS.filter(
    (one) => (canBeUnlimited || one !== 'always') && (isInPlan || (one !== 'job' && one !== 'plan')),
  )
  const [scope, setScope] = useState(offers[0]?.scope.kind)
  const [limit, setLimit] = useState<Limit>('session')
  const [numbers, setNumbers] = useState({ times: 5, minutes: 30 })
  const offer = offers.find((one) => one.scope.kind === scope)
  const report = (next: { scope?: typeof scope; limit?: Limit; numbers?: typeof numbers }) => {
    const chosen = { scope, limit, numbers, ...next }
    if (chosen.limit === 'once' || chosen.scope === undefined) onChange(undefined)
    else onChange({ scope: chosen.scope, ...limitsOf(chosen.limit, chosen.numbers) })
  }
  // What is chosen at first counts as chosen.
  const begin = useRef(() => report({}))
  useEffect(() => begin.current(), [])
  return (
    <div className="sec">
      <p className="lab" id="grant-what">
        Do not ask again for
      </p>
      <RadioGroup.Root
        aria-labelledby="grant-what"
        value={scope ?? ''}
        onValueChange={(value) => {
          const next = offers.find((one) => one.scope.kind === value)?.scope.kind
          setScope(next)
          report({ scope: next })
        }}
      >
        {offers.map((one) => (
          <div className="radio" key={one.scope.kind}>
            <RadioGroup.Item className="rd" value={one.scope.kind} id={`grant-${one.scope.kind}`} />
            <label htmlFor={`grant-${one.scope.kind}`}>{one.text}</label>
          </div>
        ))}
      </RadioGroup.Root>
      <p className="lab f" id="grant-long">
        For how long
      </p>
      <RadioGroup.Root
        className="grant"
        aria-labelledby="grant-long"
        value={limit}
        onValueChange={(value) => {
          const next = limits.find((one) => one === value) ?? 'once'
          setLimit(next)
          report({ limit: next })
        }}
      >
        {limits.map((one) => (
          <div className="radio" key={one}>
            <RadioGroup.Item className="rd" value={one} id={`limit-${one}`} />
            {(one === 'times' || one === 'minutes') && (
              <input
                className="in mini"
                type="number"
                min={1}
                max={100_000}
                aria-label={WORDS[one]}
                value={numbers[one]}
                onChange={({ target }) => {
                  const next = { ...numbers, [one]: Math.max(1, Number(target.value) || 1) }
                  setNumbers(next)
                  setLimit(one)
                  report({ limit: one, numbers: next })
                }}
              />
            )}
            <label htmlFor={`limit-${one}`}>{WORDS[one]}</label>
          </div>
        ))}
      </RadioGroup.Root>
      {offer && limit !== 'once' && (
        <div className="note f">
          <span className="grow">
            Covers {offer.text}, {spanOf(limit, numbers)}. Rules that block still block, and other rules still ask.
            Revoke it on the page Rules.
          </span>
        </div>
      )}
    </div>
  )
}

/** How long a grant lasts, as the end of a sentence. */
function spanOf(limit: Limit, { times, minutes }: { times: number; minutes: number }): string {
  if (limit === 'times') return times === 1 ? 'one more time' : `${times} more times`
  if (limit === 'minutes') return minutes === 1 ? 'for one minute' : `for ${minutes} minutes`
  if (limit === 'always') return 'until you revoke it'
  return `for ${WORDS[limit]}`
}

function limitsOf(limit: Limit, { times, minutes }: { times: number; minutes: number }): Omit<Choice, 'scope'> {
  if (limit === 'times') return { times }
  if (limit === 'minutes') return { minutes }
  if (limit === 'job' || limit === 'plan') return { within: limit }
  return limit === 'session' ? { session: true } : {}
}
