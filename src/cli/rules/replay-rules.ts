import type { ReplayChange, ReplayReport } from '../../app/replay.ts'
import type { Decision } from '../../core/rules/rule.ts'
import { type Cli, paint } from '../terminal/front-end.ts'
import { type Cell, tableLines } from '../terminal/table.ts'

const STYLES = { allow: 'green', ask: 'yellow', deny: 'red' } as const

const WAS: Readonly<Record<Decision, string>> = { allow: 'ran', ask: 'asked', deny: 'were denied' }
const NOW: Readonly<Record<Decision, string>> = { allow: 'run', ask: 'ask', deny: 'be denied' }

/** Prints which calls of the log would be decided differently: a count for each kind of change, then each call with its rules. */
export function printReplay(cli: Cli, report: ReplayReport, isJson: boolean): void {
  if (isJson) {
    cli.writeJson(report)
    return
  }
  const { judged, changes, skipped } = report
  cli.print(`${judged} ${judged === 1 ? 'call' : 'calls'} of the log judged again; nothing was run.`)
  const kinds = Map.groupBy(changes, ({ was, now }) => `that ${WAS[was.decision]} would ${NOW[now.decision]}`)
  for (const [kind, listed] of kinds)
    cli.print(paint('bold', `${listed.length} ${listed.length === 1 ? 'call' : 'calls'} ${kind}`))
  if (changes.length === 0) cli.print('No call would be decided differently.')
  for (const line of tableLines(changes.map(cellsOf), { last: 'wrap' })) cli.print(line)
  if (skipped.length > 0)
    cli.print(paint('dim', `${skipped.length} could not be judged again, such as ${whySkipped(report)}`))
}

function whySkipped({ skipped: [first] }: ReplayReport): string {
  return first === undefined ? '' : `${first.call}: ${first.reason}`
}

function cellsOf({ call, tool, arguments: sent, was, now }: ReplayChange): Cell[] {
  return [
    { style: STYLES[was.decision], text: was.decision },
    { style: 'dim', text: '→' },
    { style: STYLES[now.decision], text: now.decision },
    { style: 'dim', text: call },
    { style: 'bold', text: tool },
    { style: 'reset', text: `${shortText(sent)}: was ${was.rule}, now ${now.rule}: ${now.reason}` },
  ]
}

function shortText(sent: unknown): string {
  const text = JSON.stringify(sent) ?? ''
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
