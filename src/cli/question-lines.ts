import type { Question } from '../core/approvals.ts'
import type { Preview } from '../core/tool.ts'
import type { paint } from './face.ts'
import { styleOfDiff } from './show-result.ts'

/** How a question is shown. */
export interface QuestionLook {
  /** Colours for the stream it goes to; also what makes hostile text harmless. */
  readonly paint: typeof paint
  /** The most lines of arguments, and of the preview, that are shown. */
  readonly limit: number
}

/** A question in lines: what, why, what it would do, what is unusual, the arguments, the preview. */
export function questionLines(question: Question, look: QuestionLook): string[] {
  const { tool, arguments: args, effects, rule, reason, preview, unusual } = question
  const { paint } = look
  const shown = JSON.stringify(args, null, 2).split('\n')
  return [
    `${paint(['yellow', 'bold'], '?')} ${paint('bold', tool)} wants to run: ${paint('reset', reason)} ${paint('dim', `(${rule})`)}`,
    ...effects.flatMap((effect) => effect.split('\n')).map((effect) => `  ${paint('cyan', effect)}`),
    ...unusual.flatMap((one) => one.split('\n')).map((one) => `  ${paint(['yellow', 'bold'], `! ${one}`)}`),
    ...cut(shown, look).map((line) => `  ${paint('dim', line)}`),
    ...(preview ? previewLines(preview, look) : []),
  ]
}

function previewLines({ kind, text }: Preview, look: QuestionLook): string[] {
  const { paint } = look
  const lines = cut(text.trimEnd().split('\n'), look)
  if (kind === 'diff') return lines.map((line) => `  ${paint(styleOfDiff(line), line)}`)
  return lines.map(
    (line, index) => `  ${kind === 'command' ? paint('dim', index === 0 ? '$ ' : '  ') : ''}${paint('reset', line)}`,
  )
}

function cut(lines: readonly string[], { limit }: QuestionLook): readonly string[] {
  if (lines.length <= limit) return lines
  const left = lines.length - limit + 1
  return [...lines.slice(0, limit - 1), `… and ${left} more lines: haft approvals shows them all`]
}
