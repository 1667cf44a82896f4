import type { Host } from '../../app/host.ts'
import type { RuleInForce } from '../../core/rules/rule.ts'
import { type Cli, type CommonOptions, columnsOf, paint } from '../terminal/front-end.ts'
import { type Cell, tableLines } from '../terminal/table.ts'

const STYLES = { allow: 'green', ask: 'yellow', deny: 'red' } as const

/** The most examples of a rule that are shown. */
const SHOWN = 3

/** Prints the rules in force by layer, each with examples, and the settings that are ignored. */
export function listRules(
  cli: Cli,
  { project, mode }: Host,
  { rules, options }: { readonly rules: readonly RuleInForce[]; readonly options: CommonOptions },
): void {
  if (options.json) {
    cli.writeJson({ mode, rules: rules.map(jsonOf), ignored: project.ignored })
    return
  }
  cli.print(`${paint('bold', 'mode')} ${mode}`)
  const sources = Map.groupBy(rules, ({ layer, source }) => `${layer}${source === 'built-in' ? '' : ` (${source})`}`)
  for (const [heading, listed] of sources) {
    cli.print(`\n${paint('bold', heading)}`)
    for (const line of tableLines(listed.map(cellsOf), { last: 'wrap', indent: 2 })) cli.print(line)
  }
  const ignored = project.ignored.map((one): Cell[] => [
    { style: 'yellow', text: 'ignored' },
    { style: 'reset', text: `${one} in ${project.file.path}: ${whyIgnored(one, project)}` },
  ])
  for (const line of tableLines(ignored, { last: 'wrap' })) cli.print(line)
}

function jsonOf({ layer, source, isAnswered, rule: { name, decision, reason, examples } }: RuleInForce) {
  return { layer, source, name, decision, reason, ...(isAnswered && { isAnswered }), ...(examples && { examples }) }
}

function whyIgnored(one: string, { usersOwn }: Host['project']): string {
  return usersOwn.includes(one) ? 'only your own settings can set this' : 'the project is not trusted, run haft trust'
}

function cellsOf({ isAnswered, rule: { decision, name, reason = '', examples } }: RuleInForce): Cell[] {
  const shown = (examples?.[decision] ?? []).map(shortExample).filter(fitsColumn).slice(0, SHOWN)
  const words = [
    reason,
    ...(isAnswered ? ['this mode answers it with yes'] : []),
    ...(shown.length > 0 ? [`e.g. ${shown.join(' · ')}`] : []),
  ]
  return [
    { style: isAnswered ? 'dim' : STYLES[decision], text: decision.padEnd('allow'.length) },
    { style: 'reset', text: name },
    { style: 'dim', text: words.join('; ') },
  ]
}

/** The columns that decisions and names take, at most. */
const LABELS = 44

/** True for an example that can be broken between its words in the column of reasons. */
function fitsColumn(example: string): boolean {
  const width = columnsOf(process.stdout) - LABELS
  return example.split(' ').every((word) => word.length <= width)
}

/** Returns the command line of an example that is one, any other example as it is; cut to one short line. */
function shortExample(example: string): string {
  const text = /^shell \{"command":(".*")\}$/s.exec(example)?.[1]
  const line = (text === undefined ? example : String(JSON.parse(text))).replaceAll('\n', '⏎')
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}
