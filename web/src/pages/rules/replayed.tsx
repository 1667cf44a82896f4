import { ArrowRight, Check, X } from 'lucide-react'
import { Link } from 'wouter'
import type { AnswerOf } from '../../../../src/core/api/routes.ts'
import { Shown } from '../../components/shown.tsx'

interface Props {
  readonly report: AnswerOf<'replayRules'>
  readonly days: number
}

const COLOURS = { allow: 'ok', ask: 'ask', deny: 'bad' } as const

/** What a rule would have changed in the last days: its examples, and each call that would be decided differently. */
export function Replayed({ report, days }: Props) {
  const { judged, changes, skipped, examples = [] } = report
  return (
    <section className="replayed" aria-label="Replay">
      {examples.length > 0 && (
        <>
          <h3 className="sec-h">Examples</h3>
          <ul className="lines">
            {examples.map(({ example, holds, text }) => (
              <li key={example}>
                {holds ? (
                  <Check className="i s ok" strokeWidth={1.75} aria-hidden="true" />
                ) : (
                  <X className="i s bad" strokeWidth={1.75} aria-hidden="true" />
                )}
                <span className="grow">
                  <code>{example}</code>{' '}
                  <span className={holds ? 'qq t1' : 'bad t1'}>{holds ? 'as expected' : text}</span>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      <h3 className="sec-h" role="status">
        {changes.length === 0
          ? `None of ${judged.toLocaleString('en')} calls of the last ${days === 1 ? 'day' : `${days} days`} would be decided differently.`
          : `${changes.length.toLocaleString('en')} of ${judged.toLocaleString('en')} calls would be decided differently:`}
      </h3>
      <ul className="lines">
        {changes.slice(0, 200).map(({ call, tool, arguments: sent, was, now }) => (
          <li key={call}>
            <span className="nw t1">
              <span className={COLOURS[was.decision]}>{was.decision}</span>{' '}
              <ArrowRight className="i s qq" strokeWidth={1.75} aria-label="becomes" />{' '}
              <b className={COLOURS[now.decision]}>{now.decision}</b>
            </span>
            <Link className="m cut grow" href={`/log?call=${call}`}>
              {tool} <Shown text={JSON.stringify(sent)} isLine />
            </Link>
          </li>
        ))}
      </ul>
      {changes.length > 200 && <p className="t1 q">and {changes.length - 200} more</p>}
      {skipped.length > 0 && (
        <p className="t1 q">
          {skipped.length} {skipped.length === 1 ? 'call' : 'calls'} could not be judged again, such as those of a tool
          that is gone.
        </p>
      )}
    </section>
  )
}
