import { Hand, ShieldX } from 'lucide-react'
import type { SummaryCommand } from '../../../src/core/approval/call-summary.ts'
import type { Opinion } from '../../../src/core/rules/rule.ts'
import { Shown } from '../components/shown.tsx'
import { findOpinion } from './asked-parts.ts'

interface Props {
  readonly commands: readonly SummaryCommand[]
  readonly trace: readonly Opinion[]
}

/** The commands of a command line, as Haft read them; those that a rule asks about or blocks are marked. */
export function CommandList({ commands, trace }: Props) {
  return (
    <ol className="cmds">
      {commands.map((command, index) => {
        const found = findOpinion(command, trace)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a command may stand twice in one line
          <li key={index} className={found && (found.decision === 'deny' ? 'deny' : 'hot')}>
            <span className="qq">{index + 1}</span>
            <span>
              <code>
                <Shown text={command.text} isLine />
              </code>
              {!command.isExact && <span className="d">part of it is known only when it runs</span>}
            </span>
            <Verdict opinion={found} />
          </li>
        )
      })}
    </ol>
  )
}

function Verdict({ opinion }: { readonly opinion: Opinion | undefined }) {
  if (opinion === undefined) return <span />
  const isDeny = opinion.decision === 'deny'
  const Icon = isDeny ? ShieldX : Hand
  return (
    <span className={isDeny ? 'bad' : 'ask'}>
      <Icon className="i s" strokeWidth={1.75} aria-hidden="true" />{' '}
      <span className="b">{isDeny ? 'blocks' : 'asks'}</span> <code className="q">{opinion.rule}</code>
    </span>
  )
}
