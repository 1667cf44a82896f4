import type { PlanOrder } from '../../app/plans/plans.ts'
import type { PlanView } from '../../core/plans/plan-view.ts'
import { wrapWords } from '../../core/terminal/text-width.ts'
import { askAfterPause, askLine, rejectAnswer } from '../terminal/ask-line.ts'
import { columnsOf, paintError } from '../terminal/front-end.ts'

type Next = Pick<PlanOrder, 'action' | 'job' | 'text'>

/** Asks the person at the terminal what to do with a paused plan. Resolves to undefined where it stays paused. */
export async function askNext({ state, pause }: PlanView, signal: AbortSignal): Promise<Next | undefined> {
  if (state !== 'paused' || pause === undefined || pause.reason === 'ended') return undefined
  const { job, reason } = pause
  const isFailed = reason === 'failed'
  const choices = isFailed ? '[f]eedback  [r]etry  [s]kip  s[t]op  [q]uit' : '[g]o on  [f]eedback  s[t]op  [q]uit'
  for (;;) {
    // The choices are lines of their own, so that they fit a narrow terminal.
    for (const row of wrapWords(choices, columnsOf(process.stderr)))
      process.stderr.write(`${paintError('bold', row)}\n`)
    const letter = (await askAfterPause({ text: '› ', signal }))?.trim().toLowerCase()
    if (letter === undefined || letter === 'q') return undefined
    const about = job === undefined ? {} : { job }
    if (letter === 't') return { action: 'stop' }
    if (letter === 'g' && !isFailed) return { action: 'resume' }
    if (letter === 'r' && isFailed) return { action: 'retry', ...about }
    if (letter === 's' && isFailed) return { action: 'skip', ...about }
    if (letter !== 'f' || job === undefined) {
      rejectAnswer(letter, 'one of the letters in brackets, and Enter')
      continue
    }
    const text = (await askLine({ text: `What should ${job} do differently? › `, signal }))?.trim()
    if (text) return { action: 'feedback', job, text }
  }
}
