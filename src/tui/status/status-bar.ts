import { cutToWidth } from '../../core/terminal/text-width.ts'
import { printableLine } from '../../core/text/printable.ts'
import { type Look, shortNumber } from '../look.ts'

/** What the status bar tells. */
export interface Status {
  readonly model: string | undefined
  readonly mode: string
  /** The tools that are selected, of how many; true once the first message has locked them. */
  readonly tools: { readonly selected: number; readonly all: number; readonly isLocked: boolean }
  readonly tasks: number
  readonly tokens: number
  /** Tokens that the model was sent last, and how many it can take, where both are known. */
  readonly context?: { readonly used: number; readonly limit: number } | undefined
  /** Whether commands run in the sandbox; undefined until that is known. */
  readonly hasSandbox: boolean | undefined
  /** Approval requests and questions that are not on the screen. */
  readonly waiting: number
  /** True while another request is on the screen. */
  readonly isAsking: boolean
  readonly isRunning: boolean
}

/** Returns the last row of the screen. What matters most comes first, since a narrow terminal cuts the end. */
export function statusBar(status: Status, { paint, columns }: Look): string {
  const { model, mode, tools, tasks, tokens, context, hasSandbox, waiting, isAsking, isRunning } = status
  const head = [
    ...(waiting > 0 ? [`${waiting} ${isAsking ? 'more waiting' : 'waiting (/approvals)'}`] : []),
    ...(isRunning ? ['running, Esc stops'] : []),
    ...(hasSandbox === false ? ['sandbox off (haft doctor)'] : []),
  ]
  const tail = [
    printableLine(model ?? 'no model'),
    `mode ${mode}`,
    `tools ${tools.selected}/${tools.all}${tools.isLocked ? ' locked' : ''}`,
    ...(tasks > 0 ? [`${tasks} ${tasks === 1 ? 'task' : 'tasks'}`] : []),
    ...(context
      ? [`${shortNumber(context.used)}/${shortNumber(context.limit)}`]
      : tokens > 0
        ? [`${shortNumber(tokens)} tokens`]
        : []),
    ...(hasSandbox ? ['sandbox on'] : []),
  ]
  const first = head.join(' · ')
  const space = columns - 2 - (first === '' ? 0 : first.length + 3)
  const rest = space < 8 ? '' : cutToWidth(tail.join(' · '), space)
  return `${first === '' ? '' : paint('yellow', cutToWidth(first, columns - 2))}${first === '' || rest === '' ? '' : paint('dim', ' · ')}${paint('dim', rest)}`
}
