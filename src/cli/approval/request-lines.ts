import type { Question } from '../../core/approval/approval.ts'
import type { Result } from '../../core/call/result.ts'
import { isRecord } from '../../core/text/json.ts'
import { printable } from '../../core/text/printable.ts'
import type { Preview } from '../../core/tool/prepared.ts'
import { styleOfDiff } from '../output/show-result.ts'
import type { paint } from '../terminal/front-end.ts'
import { hangText, wrapWords } from '../terminal/text-width.ts'

/** How a question is shown. */
export interface QuestionLook {
  /** Colours for the stream it goes to; also what makes hostile text harmless. */
  readonly paint: typeof paint
  /** The most rows of arguments, and of the preview, that are shown. */
  readonly limit: number
  /** How wide the terminal is. */
  readonly columns: number
}

/** A question in lines: what, why, what it would do, what is unusual, the arguments, the preview. Text from outside is indented on every row, so that none of it stands where a prompt would. */
export function questionLines(question: Question, look: QuestionLook): string[] {
  const { approval, tool, arguments: args, effects, rule, reason, preview, unusual, hasRun } = question
  const { paint } = look
  const whole = `haft approvals ${approval} shows them all`
  const inside = (style: Style, lines: readonly string[]) =>
    lines.flatMap((line) => wrapInside(line, look.columns)).map((row) => `  ${paint(style, row)}`)
  const prose = (style: Style, lines: readonly string[]) =>
    inside(
      style,
      lines.flatMap((line) => wrapWords(printable(line), look.columns - 3)),
    )
  const shown = JSON.stringify(args, null, 2).split('\n')
  const why = `${reason} (${rule})`
  const isShort = wrapInside(why, look.columns - tool.length - 16).length === 1
  return [
    `${paint(['yellow', 'bold'], '?')} ${paint('bold', tool)} ${hasRun ? 'has run:' : 'wants to run:'}${isShort ? ` ${paint('reset', why)}` : ''}`,
    ...(isShort ? [] : prose('reset', [why])),
    ...inside('cyan', effects),
    ...prose(
      ['yellow', 'bold'],
      unusual.map((one) => `! ${one}`),
    ),
    ...cut(inside('dim', shown), look, whole),
    ...(preview ? previewLines(preview, look, whole) : []),
  ]
}

/** What a call would do, in lines, indented as a question's are. */
export function rehearsalLines(rehearsal: Result, look: QuestionLook): string[] {
  const { paint } = look
  const { text } = rehearsal
  if (!rehearsal.ok)
    return [paint('red', rehearsal.code), ...previewLines({ kind: 'text', text }, look, IN_A_REHEARSAL)]
  const { data } = rehearsal
  const diff = isRecord(data) && typeof data.diff === 'string' && text.endsWith(data.diff) ? data.diff : ''
  const said = text.slice(0, text.length - diff.length)
  return [
    `${paint('bold', 'rehearsal')}: nothing was applied`,
    ...(said === '' ? [] : previewLines({ kind: 'text', text: said }, look, IN_A_REHEARSAL)),
    ...(diff === '' ? [] : previewLines({ kind: 'diff', text: diff }, look, IN_A_REHEARSAL)),
  ]
}

const IN_A_REHEARSAL = 'haft check --rehearse shows them all'

type Style = Parameters<typeof paint>[0]

function previewLines({ kind, text }: Preview, look: QuestionLook, whole: string): readonly string[] {
  const { paint, columns } = look
  const rows = text
    .trimEnd()
    .split('\n')
    .flatMap((line, index) => {
      const mark = kind === 'command' ? paint('dim', index === 0 ? '$ ' : '> ') : ''
      const style = kind === 'diff' ? styleOfDiff(line) : 'reset'
      return wrapInside(line, columns - (mark === '' ? 0 : 2)).map((row) => `  ${mark}${paint(style, row)}`)
    })
  return cut(rows, look, whole)
}

/** Rows are counted as they are shown: one long line fills a screen too. */
function cut(rows: readonly string[], { limit, paint, columns }: QuestionLook, whole: string): readonly string[] {
  if (rows.length <= limit) return rows
  const note = `… and ${rows.length - limit + 1} more lines: ${whole}`
  return [...rows.slice(0, limit - 1), ...hangText('  ', paint('yellow', note), columns)]
}

/** A text from outside in rows that fit beside an indent of two, long words broken too; what is not ASCII counts as wide, so that no row is broken by the terminal. */
export function wrapInside(text: string, columns: number): string[] {
  const room = Math.max(10, columns - 3)
  const rows: string[] = []
  for (const line of printable(text).replaceAll('\t', '    ').split('\n')) {
    let row = ''
    let width = 0
    for (const character of line) {
      const wide = character.charCodeAt(0) < 128 ? 1 : 2
      if (width + wide > room) {
        rows.push(row)
        row = ''
        width = 0
      }
      row += character
      width += wide
    }
    rows.push(row)
  }
  return rows
}
