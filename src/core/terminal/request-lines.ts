import type { ApprovalRequest } from '../approval/approval.ts'
import type { Result } from '../call/result.ts'
import { isRecord } from '../text/json.ts'
import { printable } from '../text/printable.ts'
import type { Preview } from '../tool/prepared.ts'
import { type Paint, type Style, styleOfDiff } from './style.ts'
import { hangText, wrapWords } from './text-width.ts'

/** How a request is shown. */
export interface RequestLook {
  /** Adds colours for the stream; also escapes control characters. */
  readonly paint: Paint
  /** The most rows of the arguments, and of the preview. */
  readonly limit: number
  /** The width of the terminal. */
  readonly columns: number
}

/** Returns the lines of an approval request: tool, reason, effects, what is unusual, arguments, preview. Every row of text that Haft did not write is indented, so that it cannot imitate a prompt. */
export function requestLines(request: ApprovalRequest, look: RequestLook): string[] {
  const { approval, tool, arguments: args, effects, rule, reason, preview, unusual, hasRun, mode } = request
  const { paint } = look
  const hint = `haft approvals ${approval}`
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
    ...inside('cyan', isNamed(request) ? [] : effects),
    ...prose(
      ['yellow', 'bold'],
      unusual.map((one) => `! ${one}`),
    ),
    ...(mode ? inside('dim', [`mode ${mode}`]) : []),
    ...(isPreviewed(request) ? [] : cut(inside('dim', shown), look, hint)),
    ...(preview && preview.text !== effects.join('\n') ? previewLines(preview, look, hint) : []),
  ]
}

/** True if the preview is the only argument word for word, such as a proposed plan. */
export function isPreviewed({ arguments: args, preview }: ApprovalRequest): boolean {
  const values = Object.values(args)
  return preview !== undefined && values.length === 1 && values[0] === preview.text
}

/** True if the reason ends with the one effect, so that it need not be shown twice. */
function isNamed({ reason, effects }: ApprovalRequest): boolean {
  return effects.length === 1 && reason.endsWith(`(${effects[0]})`)
}

/** Returns the lines of a dry run, indented as those of a request are. */
export function dryRunLines(dryRun: Result, look: RequestLook): string[] {
  const { paint } = look
  const { text } = dryRun
  if (!dryRun.ok) return [paint('red', dryRun.code), ...previewLines({ kind: 'text', text }, look, DRY_RUN_HINT)]
  const { data } = dryRun
  const diff = isRecord(data) && typeof data.diff === 'string' && text.endsWith(data.diff) ? data.diff : ''
  const printed = text.slice(0, text.length - diff.length)
  return [
    `${paint('bold', 'dry run')}: nothing was applied`,
    ...(printed === '' ? [] : previewLines({ kind: 'text', text: printed }, look, DRY_RUN_HINT)),
    ...(diff === '' ? [] : previewLines({ kind: 'diff', text: diff }, look, DRY_RUN_HINT)),
  ]
}

const DRY_RUN_HINT = 'haft check --rehearse'

function previewLines({ kind, text }: Preview, look: RequestLook, hint: string): readonly string[] {
  const { paint, columns } = look
  const rows = text
    .trimEnd()
    .split('\n')
    .flatMap((line, index) => {
      const mark = kind === 'command' ? paint('dim', index === 0 ? '$ ' : '> ') : ''
      const style = kind === 'diff' ? styleOfDiff(line) : 'reset'
      return wrapInside(line, columns - (mark === '' ? 0 : 2)).map((row) => `  ${mark}${paint(style, row)}`)
    })
  return cut(rows, look, hint)
}

/** Cuts rows to the limit. Counts rows after wrapping, because one long line can fill a screen too. */
function cut(rows: readonly string[], { limit, paint, columns }: RequestLook, hint: string): readonly string[] {
  if (rows.length <= limit) return rows
  const note = `… and ${rows.length - limit + 1} more lines. See all: ${hint}`
  return [...rows.slice(0, limit - 1), ...hangText('  ', paint('yellow', note), columns)]
}

/** Wraps text that Haft did not write into rows that fit beside an indent of two, breaking long words too. Every character outside ASCII counts as two columns, so that the terminal never breaks a row itself. */
export function wrapInside(text: string, columns: number): string[] {
  const space = Math.max(10, columns - 3)
  const rows: string[] = []
  for (const line of printable(text).replaceAll('\t', '    ').split('\n')) {
    let row = ''
    let width = 0
    for (const character of line) {
      const wide = character.charCodeAt(0) < 128 ? 1 : 2
      if (width + wide > space) {
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
