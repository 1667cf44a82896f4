import { Ban, Check, CircleDashed, CirclePause, Hand, LoaderCircle, X } from 'lucide-react'
import type { SessionState } from '../../../src/core/session/session-record.ts'

const ICONS = {
  waiting: [Hand, 'ask'],
  running: [LoaderCircle, 'run spin'],
  idle: [Check, 'ok'],
  interrupted: [CircleDashed, 'off'],
  failed: [X, 'bad'],
  stopped: [Ban, 'off'],
  'cut-off': [CirclePause, 'off'],
} as const

export function SessionIcon({ state }: { readonly state: SessionState }) {
  const [Icon, colour] = ICONS[state]
  return <Icon className={`i ${colour}`} strokeWidth={1.75} aria-hidden="true" />
}
