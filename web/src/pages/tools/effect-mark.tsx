import { Eye, FilePen, Globe, type LucideIcon, Minus, Terminal } from 'lucide-react'
import type { Effect } from '../../../../src/core/tool/tool.ts'

const ICONS: Readonly<Record<Effect, LucideIcon>> = {
  none: Minus,
  read: Eye,
  write: FilePen,
  run: Terminal,
  network: Globe,
}

/** The worst that a tool can do, as an icon and a word. */
export function EffectMark({ effect, isTag = false }: { readonly effect: Effect; readonly isTag?: boolean }) {
  const Icon = ICONS[effect]
  return (
    <span className={isTag ? 'tag line' : 't1 qq nw ef'}>
      <Icon className="i s" strokeWidth={1.75} aria-hidden="true" /> {effect}
    </span>
  )
}
