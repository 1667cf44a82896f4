import type { Command } from 'commander'
import type { Host } from '../app/host.ts'
import type { RuleInForce } from '../core/rules/rule.ts'
import { addExamples, type Example } from './help.ts'
import { hostOptionsOf } from './host-options.ts'
import { listRules } from './rules/list-rules.ts'
import { printReplay } from './rules/replay-rules.ts'
import { type Cli, type CommonOptions, EXIT, modeOption, paint } from './terminal/front-end.ts'

interface RulesOptions extends CommonOptions {
  with?: string
}

const ACTIONS = ['test', 'replay']

const EXAMPLES: readonly Example[] = [
  ['haft rules --mode edit', 'list the rules as they are in a mode'],
  ['haft rules replay', 'show which past calls would be decided differently now'],
  ['haft rules replay --with stricter.toml', 'the same with the rules of another settings file'],
]

/** Adds `haft rules`: lists the rules in force by layer; `haft rules test` runs their examples, `haft rules replay` judges the log again. */
export function addRules(program: Command, cli: Cli, exit: (code: number) => void): void {
  const command = program
    .command('rules')
    .description('List the rules in force, run their examples, or judge past calls again')
    .argument(
      '[action]',
      'test: run the examples of every rule; replay: judge the calls of the log by the current rules',
    )
    .option('--workspace <folder>', 'folder to work in (default: HAFT_WORKSPACE, else the current folder)')
    .option('--with <file>', 'with replay: take the rules and mode of this settings file instead of your own')
    .addOption(modeOption())
    .option('--json', 'print JSON only')
    .action(async (action: string | undefined, options: RulesOptions, command: Command) => {
      if (action !== undefined && !ACTIONS.includes(action))
        command.error(`error: unknown action '${action}' (expected ${ACTIONS.join(' or ')})`)
      if (options.with !== undefined && action !== 'replay') command.error('error: --with goes with replay')
      const host = await cli.createHost(hostOptionsOf(cli, options))
      try {
        exit(await runAction(cli, host, { action, options }))
      } finally {
        await host.close()
      }
    })
  addExamples(command, EXAMPLES)
}

async function runAction(
  cli: Cli,
  host: Host,
  { action, options }: { readonly action: string | undefined; readonly options: RulesOptions },
): Promise<number> {
  if (action === 'replay') {
    const report = await host.replay(options.with === undefined ? {} : { with: options.with })
    printReplay(cli, report, options.json === true)
    return EXIT.ok
  }
  const rules = await host.rules()
  if (action === 'test') return testAll(cli, host, { rules, options })
  listRules(cli, host, { rules, options })
  return EXIT.ok
}

interface Listed {
  readonly rules: readonly RuleInForce[]
  readonly options: CommonOptions
}

async function testAll(cli: Cli, host: Host, { rules, options }: Listed): Promise<number> {
  const reports = (await Promise.all(rules.map((rule) => host.testRule(rule)))).flat()
  const wrong = reports.filter(({ holds }) => !holds)
  if (options.json) cli.writeJson({ tried: reports.length, wrong })
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
