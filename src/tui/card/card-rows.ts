import type { ApprovalRequest } from '../../core/approval/approval.ts'
import type { SummaryKind, SummaryRow } from '../../core/approval/call-summary.ts'
import { isNews } from '../../core/approval/is-news.ts'
import { isPreviewed, wrapInside } from '../../core/terminal/request-lines.ts'
import { styleOfDiff } from '../../core/terminal/style.ts'
import { hangText, widthOf, wrapWords } from '../../core/terminal/text-width.ts'
import { isRecord } from '../../core/text/json.ts'
import { printable } from '../../core/text/printable.ts'
import { type Look, WIDE_ENOUGH } from '../look.ts'

const LABELS: Readonly<Record<SummaryKind, string>> = {
  ...{ deletes: 'Deletes', changes: 'Changes', creates: 'Writes', sends: 'Sends', runs: 'Runs' },
  ...{ reads: 'Reads', network: 'Network', undo: 'Undo' },
}

/** Returns what a person sees of an approval request, top to bottom: the sentence, the exact text, the effects, the rule. The command is never cut. */
export function requestRows(request: ApprovalRequest, look: Look): string[] {
  const { summary, effects, unusual } = request
  const { paint, columns } = look
  const facts = summary
    ? summary.rows.flatMap((row) => summaryRow(row, look))
    : effects.flatMap((effect) => wrapInside(effect, columns).map((row) => `  ${paint('reset', row)}`))
  return [
    ...sentenceOf(request)
      .flatMap((line) => wrapWords(line, columns - 2))
      .map((row) => paint('bold', row)),
    ...exactRows(request, look),
    ...facts,
    ...unusual
      .filter((one) => summary === undefined || isNews(one))
      .flatMap((one) => hangText(`${paint(['red', 'bold'], '!')} `, paint('reset', one), columns - 1)),
    ...wrapWords(printable(ruleOf(request)), columns - 2).map((row) => paint('dim', row)),
  ]
}

function sentenceOf({ summary, tool, hasRun, preview, label }: ApprovalRequest): string[] {
  const about = label === undefined ? [] : [printable(`Agent: ${label}`)]
  if (hasRun) return [...about, applySentence(preview?.kind === 'diff' ? preview.text : '')]
  return [...about, printable((summary?.sentence ?? `Call ${tool}`).replaceAll('`', ''))]
}

function applySentence(diff: string): string {
  const files = new Set([...diff.matchAll(/^\+\+\+ (.*)$/gm)].map(([, file]) => file)).size
  return files === 0
    ? 'Apply its changes? The command has run.'
    : `Apply ${files} ${files === 1 ? 'change' : 'changes'}? The command has run.`
}

/** The command, the diff, or else the arguments. */
function exactRows(request: ApprovalRequest, { paint, columns }: Look): string[] {
  const { preview, arguments: args, hasRun } = request
  const indented = (text: string, mark = '') =>
    text
      .trimEnd()
      .split('\n')
      .flatMap((line) => wrapInside(line, columns - mark.length))
  if (preview?.kind === 'command')
    return indented(preview.text, '$ ').map(
      (row, index) => `  ${paint('dim', index === 0 ? '$ ' : '  ')}${paint('reset', row)}`,
    )
  if (preview?.kind === 'diff')
    return shownDiff(preview.text, hasRun === true)
      .trimEnd()
      .split('\n')
      .flatMap((line) => wrapInside(line, columns).map((row) => `  ${paint(styleOfDiff(line), row)}`))
  if (isInSentence(request)) return []
  if (preview && isPreviewed(request)) return indented(preview.text).map((row) => `  ${paint('reset', row)}`)
  const shown = JSON.stringify(args, null, 2).split('\n').slice(1, -1).join('\n')
  return [...(preview ? indented(preview.text) : []), ...indented(shown)].map((row) => `  ${paint('reset', row)}`)
}

/** True where the sentence holds every argument word for word, as that of `delete_file` does. */
function isInSentence({ summary, arguments: args }: ApprovalRequest): boolean {
  const literal = new Set([...(summary?.sentence ?? '').matchAll(/`([^`]*)`/g)].map(([, text]) => text))
  return isRecord(args) && literal.size > 0 && Object.values(args).every((value) => literal.has(String(value)))
}

/** A diff without notes about the end of a file; without the names of files where the sentence names the only one. */
function shownDiff(diff: string, hasMany: boolean): string {
  return diff
    .split('\n')
    .filter((line) => !/^(\\ |Index:|=+$)/.test(line) && (hasMany || !/^(---|\+\+\+) /.test(line)))
    .join('\n')
}

function summaryRow({ kind, text, tone }: SummaryRow, { paint, columns }: Look): string[] {
  const mark = tone === 'bad' ? paint(['red', 'bold'], '!') : ' '
  const style = tone === 'bad' ? 'red' : tone === 'quiet' ? 'dim' : 'reset'
  return hangText(
    `${mark} ${paint(style, LABELS[kind].padEnd(8))} `,
    paint(style, text.replaceAll('`', '')),
    columns - 1,
  )
}

function ruleOf({ rule, reason, trace }: ApprovalRequest): string {
  const layer = trace?.find((one) => one.rule === rule)?.layer
  if (trace !== undefined && layer === undefined) return `Asked because ${reason}.`
  return `Asked by rule ${rule}${layer === undefined ? '' : ` (${layer})`}: ${reason}`
}

/** Returns what each rule that matched has decided. */
export function traceRows({ trace = [] }: ApprovalRequest, { paint, columns }: Look): string[] {
  if (trace.length === 0) return [paint('dim', 'No rule matched; the effect of the tool decides.')]
  return trace.flatMap(({ decision, rule, layer, reason }) =>
    hangText(
      `  ${paint(decision === 'allow' ? 'green' : decision === 'deny' ? 'red' : 'yellow', decision.padEnd(5))} `,
      paint('reset', `${rule} (${layer}): ${reason}`),
      columns - 1,
    ),
  )
}

/** Draws a frame around rows, with a title at the left and facts at the right; a bar at the left where the terminal is narrow. */
export function framed(
  rows: readonly string[],
  { title, right }: { readonly title: string; readonly right: string },
  { paint, columns }: Look,
): string[] {
  const line = (text: string) => paint('yellow', text)
  if (columns < WIDE_ENOUGH)
    return [
      `${line('│')} ${paint(['yellow', 'bold'], title)} ${paint('dim', right)}`,
      ...rows.map((row) => `${line('│')} ${row}`),
    ]
  const width = Math.min(columns, 100)
  const fill = Math.max(1, width - widthOf(title) - widthOf(right) - 7)
  const top = `${line('╭')} ${paint(['yellow', 'bold'], title)} ${line('─'.repeat(fill))} ${paint('dim', right)} ${line('─╮')}`
  const inside = rows.map(
    (row) => `${line('│')} ${row}${' '.repeat(Math.max(0, width - 4 - widthOf(row)))} ${line('│')}`,
  )
  return [top, ...inside, line(`╰${'─'.repeat(width - 2)}╯`)]
}

/** The look of what is inside a frame. */
export function insideOf(look: Look): Look {
  const columns = look.columns < WIDE_ENOUGH ? look.columns - 2 : Math.min(look.columns, 100) - 4
  return { ...look, columns }
}
