import {
  ArrowRight,
  Ban,
  Bot,
  Check,
  CircleHelp,
  Globe,
  Hand,
  Layers,
  type LucideIcon,
  Pencil,
  Play,
  Plug,
  ShieldX,
  TriangleAlert,
  Wrench,
  X,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Event } from '../../../../src/core/session/event.ts'
import { Trace } from '../../approval/trace.tsx'
import { DiffView } from '../../components/diff-view.tsx'
import { Output } from '../../components/output.tsx'
import { asSentence } from '../../components/sentence-case.ts'
import { Shown } from '../../components/shown.tsx'
import { shownSpan } from '../../components/time-since.tsx'
import { shownDuration } from '../../session/call-state.ts'
import type { StoryPart } from './story-of.ts'

interface Told {
  readonly Icon: LucideIcon
  readonly colour: string
  readonly text: ReactNode
  readonly more?: ReactNode
}

/** One line of the story of a call: what happened, when, and the exact data. */
export function StoryLine({ line }: { readonly line: StoryPart }) {
  const { event } = line
  const told = tell(line)
  if (told === undefined) return null
  const { Icon, colour, text, more } = told
  return (
    <>
      {event.type === 'call-run' && <li className="lineup">from here on things happened</li>}
      <li>
        <Icon className={`i ${colour}`} strokeWidth={1.75} aria-hidden="true" />
        <div>
          <div className="flex" style={{ alignItems: 'baseline' }}>
            <span className="grow">{text}</span>
            <time className="w nw">{timeOf(event.at)}</time>
          </div>
          {more}
        </div>
      </li>
    </>
  )
}

function timeOf(at: number): string {
  return `${new Date(at).toLocaleTimeString('en-GB')}.${String(at % 1_000).padStart(3, '0')}`
}

const LOOK = { allow: [Check, 'ok', 'allowed'], ask: [Hand, 'ask', 'ask'], deny: [ShieldX, 'bad', 'blocked'] } as const

function tell(part: StoryPart): Told | undefined {
  const { event } = part
  switch (event.type) {
    case 'call-start':
      return {
        ...{ Icon: Bot, colour: 'qq' },
        text: <b>Proposed</b>,
        more: <Data value={event.arguments} />,
      }
    case 'call-repaired':
      return {
        ...{ Icon: Wrench, colour: 'ink' },
        text: <b>Repaired before it was read</b>,
        more: <p className="t1 q">{event.repairs.join('; ')}</p>,
      }
    case 'call-judged':
      return tellJudged(event, part.isAgain === true)
    case 'approval-request':
      return {
        ...{ Icon: Hand, colour: 'ask' },
        text: (
          <>
            <b>Asked a person</b>, {decidedBy(event.rule)}
          </>
        ),
        more: (
          <>
            <p className="t1 q">
              <Shown text={event.effects.join(', ')} />
            </p>
            {event.preview?.kind === 'diff' && <DiffView diff={event.preview.text} />}
          </>
        ),
      }
    case 'approval-answer':
      return tellAnswer(event, part)
    default:
      return tellRun(event)
  }
}

function tellJudged(event: Extract<Event, { type: 'call-judged' }>, isAgain: boolean): Told {
  const [Icon, colour, word] = LOOK[event.decision]
  const { layer } = event.trace.find(({ rule }) => rule === event.rule) ?? {}
  return {
    Icon,
    colour,
    text: (
      <>
        <b>
          {isAgain ? 'Judged again' : 'Valid, judged'}: {word}
        </b>{' '}
        {decidedBy(event.rule)} {layer && <span className="q">({LAYER_NAMES[layer]})</span>}
      </>
    ),
    more: (
      <>
        <p className="t1 q">
          <Shown text={asSentence(event.reason)} />
          {event.mode && ` Mode ${event.mode}.`}
        </p>
        <FullTrace event={event} />
      </>
    ),
  }
}

/** Who made a decision: a rule, the tool itself, or what Haft does where no rule and no tool decides. */
function decidedBy(rule: string): ReactNode {
  if (rule.startsWith('effect ')) return `by default, for calls with the ${rule}`
  if (rule === 'tool approval') return 'by the tool itself'
  return (
    <>
      by rule <code>{rule}</code>
    </>
  )
}

const LAYER_NAMES = {
  defaults: 'default rules',
  user: 'your rules',
  project: 'rules of the project',
  grants: 'your grants',
  'untrusted project': 'rules of a project that is not trusted',
} as const

function FullTrace({ event }: { readonly event: Extract<Event, { type: 'call-judged' }> }) {
  const [isOpen, setOpen] = useState(event.decision === 'deny')
  const { trace } = event
  if (trace.length === 0) return <p className="t1 qq">No rule matched.</p>
  return (
    <>
      <button type="button" className="linkish t1" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide the trace' : `Trace, ${trace.length} ${trace.length === 1 ? 'rule' : 'rules'}`}
      </button>
      {isOpen && <Trace trace={trace} />}
    </>
  )
}

const PLACES: Readonly<Record<string, string>> = {
  ...{ http: 'on this page', terminal: 'in the terminal', nobody: 'since nobody could be asked' },
  ...{ expiry: 'since nobody answered in time', program: 'by a program' },
}

function tellAnswer(event: Extract<Event, { type: 'approval-answer' }>, { after, replaced }: StoryPart): Told {
  const { reply, by } = event
  const where = `${PLACES[by] ?? `by ${by}`}${after === undefined ? '' : `, after ${shownSpan(after)}`}`
  if (!reply.approved)
    return {
      ...{ Icon: Ban, colour: 'off' },
      text: (
        <>
          <b>Denied</b> {where}
        </>
      ),
      more: reply.reason && (
        <p className="t1 q">
          “<Shown text={reply.reason} />”
        </p>
      ),
    }
  if ('modifiedArgs' in reply)
    return {
      ...{ Icon: Pencil, colour: 'ink' },
      text: (
        <>
          <b>Changed and approved</b> {where}
        </>
      ),
      more: (
        <div className="well">
          <del className="qq">
            <Shown text={JSON.stringify(replaced)} />
          </del>
          <br />
          <Shown text={JSON.stringify(reply.modifiedArgs)} />
        </div>
      ),
    }
  return {
    ...{ Icon: Check, colour: 'ok' },
    text: (
      <>
        <b>Approved</b> {where}
      </>
    ),
  }
}

function tellRun(event: Event): Told | undefined {
  switch (event.type) {
    case 'call-run':
      return {
        ...{ Icon: Play, colour: 'run' },
        text: (
          <>
            <b>Ran</b>, allowed by <Shown text={event.clearedBy} isLine />
          </>
        ),
        ...('arguments' in event && { more: <Data value={event.arguments} /> }),
      }
    case 'call-connect':
      return {
        ...{ Icon: Globe, colour: event.allowed ? 'qq' : 'bad' },
        text: (
          <>
            <b>{event.allowed ? 'Connected' : 'Was refused a connection'}</b> to <code>{event.host}</code>
          </>
        ),
        ...(event.reason !== undefined && { more: <p className="t1 q">{event.reason}</p> }),
      }
    case 'task-port':
      return {
        ...{ Icon: Plug, colour: 'run' },
        text: (
          <>
            <b>Opened port {event.inside}</b> at <code>{event.url}</code>
          </>
        ),
      }
    case 'task-start':
      return { ...{ Icon: Layers, colour: 'qq' }, text: <b>Went on in the background</b> }
    case 'task-cancel':
      return { ...{ Icon: Ban, colour: 'off' }, text: <b>Was asked to end</b> }
    case 'task-apply':
      return {
        ...{ Icon: Check, colour: 'ok' },
        text: <b>Waiting changes were applied</b>,
        more: <Data value={event.changed} />,
      }
    case 'task-discard':
      return { ...{ Icon: X, colour: 'off' }, text: <b>Waiting changes were discarded</b> }
    case 'input-request':
      return {
        ...{ Icon: CircleHelp, colour: 'ask' },
        text: <b>Asked a question</b>,
        more: <Data value={event.question} />,
      }
    case 'input-answer':
      return { ...{ Icon: ArrowRight, colour: 'qq' }, text: <b>Was answered</b>, more: <Data value={event.answer} /> }
    case 'call-problem':
      return {
        ...{ Icon: TriangleAlert, colour: 'off' },
        text: <b>Noted a problem</b>,
        more: <Data value={event.text} />,
      }
    case 'call-delta':
      return { ...{ Icon: Play, colour: 'run' }, text: <b>Output so far</b>, more: <Output text={event.text} isLive /> }
    case 'call-end':
      return tellEnd(event)
    default:
      return undefined
  }
}

function tellEnd({ result, duration }: Extract<Event, { type: 'call-end' }>): Told {
  const code = result.ok ? undefined : result.code
  return {
    ...{ Icon: result.ok ? Check : X, colour: result.ok ? 'ok' : 'bad' },
    text: (
      <>
        <b>{result.ok ? 'Ended well' : 'Ended with'}</b> {code && <code className="bad">{code}</code>} after{' '}
        {shownDuration(duration)}. The caller was told:
      </>
    ),
    more: <Output text={result.text === '' ? '(nothing)' : result.text} />,
  }
}

function Data({ value }: { readonly value: unknown }) {
  return (
    <pre className="well">
      <Shown text={typeof value === 'string' ? value : shownJson(value)} />
    </pre>
  )
}

/** JSON in one line where it is short. */
function shownJson(value: unknown): string {
  const line = JSON.stringify(value) ?? ''
  return line.length <= 100 ? line : JSON.stringify(value, null, 2)
}
