import { Check, CircleDashed, Hand, LoaderCircle } from 'lucide-react'
import type { SessionSummary } from '../../../src/core/session/session-record.ts'

type State = SessionSummary['state']

const ICONS = {
  waiting: [Hand, 'ask'],
  running: [LoaderCircle, 'run spin'],
  idle: [Check, 'ok'],
  interrupted: [CircleDashed, 'off'],
} as const

const WORDS: Readonly<Record<State, string>> = {
  ...{ waiting: 'waiting for you', running: 'running', idle: 'done', interrupted: 'interrupted' },
}

export function sessionWord(state: State): string {
  return WORDS[state]
}

export function SessionIcon({ state }: { readonly state: State }) {
  const [Icon, colour] = ICONS[state]
  return <Icon className={`i ${colour}`} strokeWidth={1.75} aria-hidden="true" />
}
