import type { SummaryCommand } from '../../../src/core/approval/call-summary.ts'
import type { Opinion } from '../../../src/core/rules/rule.ts'
import { Shown } from '../components/shown.tsx'

/** The commands of a command line, as Haft read them; those that a rule names are marked. */
export function CommandList({
  commands,
  trace,
}: {
  readonly commands: readonly SummaryCommand[]
  readonly trace: readonly Opinion[]
}) {
  return (
    <ol className="cmds">
      {commands.map(({ text, isExact }, index) => {
        const asked = trace.find(({ decision, reason }) => decision !== 'allow' && reason.includes(text))
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a command may stand twice in one line
          <li key={index} className={asked ? (asked.decision === 'deny' ? 'deny' : 'hot') : undefined}>
            <span className="qq">{index + 1}</span>
            <code>
              <Shown text={text} isLine />
            </code>
            <span className="q">{isExact ? '' : 'part of it is known only when it runs'}</span>
            <span className="q">{asked?.rule ?? ''}</span>
          </li>
        )
      })}
    </ol>
  )
}
