import {
  Ban,
  Check,
  Circle,
  CircleDashed,
  CircleHelp,
  Clock,
  Hand,
  LoaderCircle,
  type LucideIcon,
  ShieldX,
  X,
} from 'lucide-react'
import type { CallState } from '../session/call-state.ts'

const ICONS: Readonly<Record<CallState, readonly [LucideIcon, string]>> = {
  waiting: [Hand, 'ask'],
  queued: [Circle, 'qq'],
  running: [LoaderCircle, 'run spin'],
  done: [Check, 'ok'],
  failed: [X, 'bad'],
  denied: [Ban, 'off'],
  blocked: [ShieldX, 'bad'],
  cancelled: [Ban, 'off'],
  'timed out': [Clock, 'off'],
  interrupted: [CircleDashed, 'off'],
  asking: [CircleHelp, 'ask'],
}

/** The icon of a call's state. The word for it is always beside the icon, for people who do not see it. */
export function StateIcon({ state }: { readonly state: CallState }) {
  const [Icon, colour] = ICONS[state]
  return <Icon className={`i ${colour}`} strokeWidth={1.75} aria-hidden="true" />
}
