import type { Command } from 'commander'
import type { Host } from '../app/host.ts'
import type { RuleInForce } from '../core/rules/rule.ts'
import { hostOptionsOf } from './host-options.ts'
import { type Cli, type CommonOptions, EXIT, paint } from './terminal/front-end.ts'
import { type Cell, tableLines } from './terminal/table.ts'

/** Adds `haft rules`: lists the rules in force by layer; `haft rules test` runs their examples. */
export function addRules(program: Command, cli: Cli, exit: (code: number) => void): void {
  program
    .command('rules')
    .description('List the rules in force, or run their examples')
    .argument('[action]', 'test: run the examples of every rule')
    .option('--workspace <folder>', 'folder to work in (default: HAFT_WORKSPACE, else the current folder)')
    .option('--json', 'print JSON only')
    .action(async (action: string | undefined, options: CommonOptions, command: Command) => {
      if (action !== undefined && action !== 'test') command.error(`error: unknown action '${action}' (expected test)`)
      const host = await cli.createHost(hostOptionsOf(cli, options))
      try {
        const rules = await host.rules()
        if (action === 'test') exit(await testAll(cli, host, { rules, options }))
        else list(cli, host, { rules, options })
      } finally {
        await host.close()
      }
    })
}

interface Listed {
  readonly rules: readonly RuleInForce[]
  readonly options: CommonOptions
}

const STYLES = { allow: 'green', ask: 'yellow', deny: 'red' } as const

function list(cli: Cli, { project }: Host, { rules, options }: Listed): void {
  if (options.json) {
    const listed = rules.map(({ layer, source, rule: { name, decision, reason } }) => ({
      layer,
      source,
      name,
      decision,
      reason,
    }))
    cli.write(`${JSON.stringify({ rules: listed, ignored: project.ignored })}\n`)
    return
  }
  const sources = Map.groupBy(rules, ({ layer, source }) => `${layer}${source === 'built-in' ? '' : ` (${source})`}`)
  for (const [index, [heading, listed]] of [...sources].entries()) {
    cli.print(`${index === 0 ? '' : '\n'}${paint('bold', heading)}`)
    for (const line of tableLines(listed.map(cellsOf), { last: 'wrap', indent: 2 })) cli.print(line)
  }
  const ignored = project.ignored.map((one): Cell[] => [
    { style: 'yellow', text: 'ignored' },
    { style: 'reset', text: `${one} in ${project.file.path}: ${whyIgnored(one, project)}` },
  ])
  for (const line of tableLines(ignored, { last: 'wrap' })) cli.print(line)
}

function whyIgnored(one: string, { usersOwn }: Host['project']): string {
  return usersOwn.includes(one) ? 'only your own settings can set this' : 'the project is not trusted, run haft trust'
}

function cellsOf({ rule: { decision, name, reason = '' } }: RuleInForce): Cell[] {
  return [
    { style: STYLES[decision], text: decision.padEnd('allow'.length) },
    { style: 'reset', text: name },
    { style: 'dim', text: reason },
  ]
}

async function testAll(cli: Cli, host: Host, { rules, options }: Listed): Promise<number> {
  const reports = (await Promise.all(rules.map((rule) => host.testRule(rule)))).flat()
  const wrong = reports.filter(({ holds }) => !holds)
  if (options.json) cli.write(`${JSON.stringify({ tried: reports.length, wrong })}\n`)
  else {
    for (const { name, example, text } of wrong)
      cli.print(`${paint('red', '✗')} ${paint('bold', name)} ${paint('reset', `${example}: ${text}`)}`)
    cli.print(
      paint(
        wrong.length === 0 ? 'green' : 'red',
        `${reports.length - wrong.length} of ${reports.length} examples pass`,
      ),
    )
  }
  return wrong.length === 0 ? EXIT.ok : EXIT.failed
}
