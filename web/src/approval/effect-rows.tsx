import { Eye, FilePen, FilePlus, Globe, Hand, type LucideIcon, Send, SquareTerminal, Trash2, Undo2 } from 'lucide-react'
import type { SummaryKind, SummaryRow } from '../../../src/core/approval/call-summary.ts'
import { Shown } from '../components/shown.tsx'

const LOOK: Readonly<Record<SummaryKind, readonly [LucideIcon, string]>> = {
  deletes: [Trash2, 'Deletes'],
  changes: [FilePen, 'Changes'],
  creates: [FilePlus, 'Creates'],
  sends: [Send, 'Sends'],
  runs: [SquareTerminal, 'Runs'],
  reads: [Eye, 'Reads'],
  network: [Globe, 'Network'],
  undo: [Undo2, 'Undo'],
}

const TONES = { bad: 'hot', quiet: 'no' } as const

/** The icon of the worst thing that a call would do, for lists: red where it destroys. */
export function worstOf(rows: readonly SummaryRow[]): { readonly Icon: LucideIcon; readonly look: string } {
  const [worst] = rows.filter(({ kind, tone }) => kind !== 'undo' && tone !== 'quiet')
  return { Icon: worst ? LOOK[worst.kind][0] : Hand, look: worst?.tone === 'bad' ? 'bad' : '' }
}

/** What a call would do, one row an effect, the worst first. */
export function EffectRows({ rows }: { readonly rows: readonly SummaryRow[] }) {
  return (
    <ul className="eff">
      {rows.map(({ kind, text, tone }) => {
        const [Icon, word] = LOOK[kind]
        return (
          <li key={`${kind} ${text}`} className={tone && TONES[tone]}>
            <Icon className="i" strokeWidth={1.75} aria-hidden="true" />
            <span className="v">{word}</span>
            <span>
              <Shown text={text} />
            </span>
          </li>
        )
      })}
    </ul>
  )
}
