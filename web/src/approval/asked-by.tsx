import { Scale } from 'lucide-react'
import { isNews } from '../../../src/core/approval/is-news.ts'
import type { ListedApproval } from '../../../src/core/approval/listed-approval.ts'
import { asSentence } from '../components/sentence-case.ts'
import { Shown } from '../components/shown.tsx'
import { Trace } from './trace.tsx'
import type { Answering } from './use-answering.ts'

interface Props {
  readonly approval: ListedApproval
  readonly answering: Pick<Answering, 'showsTrace' | 'setShowsTrace'>
}

/** Which rule asked, and why; on request what every rule that matched said. */
export function AskedBy({ approval, answering: { showsTrace, setShowsTrace } }: Props) {
  const { trace = [], rule, reason } = approval
  const layer = trace.find((opinion) => opinion.rule === rule)?.layer
  return (
    <div className="rule">
      <Scale className="i" strokeWidth={1.75} aria-hidden="true" />
      <div>
        <span className="b">
          {rule === 'tool approval' ? (
            'Asked by the tool itself.'
          ) : (
            <>
              Asked by rule <code>{rule}</code>
              {layer === undefined && '.'}
            </>
          )}
        </span>{' '}
        {layer && <span className="q">in {layer === 'defaults' ? 'the default rules' : `the layer ${layer}`}. </span>}
        <Shown text={asSentence(reason)} />{' '}
        {trace.length > 0 && (
          <button
            type="button"
            className="linkish"
            aria-expanded={showsTrace}
            onClick={() => setShowsTrace(!showsTrace)}
          >
            Trace
          </button>
        )}
        {approval.unusual.filter(isNews).map((one) => (
          <p key={one} className="bad">
            <Shown text={asSentence(one)} />
          </p>
        ))}
        {showsTrace && <Trace trace={trace} />}
      </div>
    </div>
  )
}
