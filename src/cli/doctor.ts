import type { Command } from 'commander'
import type { Host } from '../app/host.ts'
import type { Finding } from '../app/overview/examine.ts'
import { messageOf } from '../core/call/result.ts'
import { hostOptionsOf } from './host-options.ts'
import { probeFinding } from './models/probe-finding.ts'
import { repairFindings } from './models/repair-findings.ts'
import { type Cli, type CommonOptions, EXIT, homeFolder } from './terminal/front-end.ts'
import { type Cell, tableLines } from './terminal/table.ts'

interface DoctorOptions extends CommonOptions {
  probe?: boolean
  model?: string
}

/** Adds `haft doctor`: tries each part of Haft and reports what works on this machine. */
export function addDoctor(program: Command, cli: Cli, exit: (code: number) => void): void {
  program
    .command('doctor')
    .description('Check what works on this machine')
    .option('--workspace <folder>', 'folder to work in (default: HAFT_WORKSPACE, else the current folder)')
    .option('--json', 'print JSON only')
    .option('--probe', 'send a short test chat to the model')
    .option('--model <name>', 'model for --probe (default: the selected one)')
    .action(async (options: DoctorOptions) => {
      const findings = [...(await hostFindings(cli, options)), person()]
      if (options.json) cli.writeJson({ findings })
      else for (const line of tableLines(findings.map(cellsOf), { last: 'wrap' })) cli.print(line)
      exit(findings.every(({ holds }) => holds) ? EXIT.ok : EXIT.failed)
    })
}

/** Returns the findings that need a host; if no host can be opened, the reason. */
async function hostFindings(cli: Cli, options: DoctorOptions): Promise<Finding[]> {
  let host: Host
  try {
    host = await cli.createHost({ ...hostOptionsOf(cli, options), onProblem: () => undefined })
  } catch (thrown) {
    return [...(await cli.examineMachine(homeFolder())), { what: 'start', holds: false, seen: messageOf(thrown) }]
  }
  try {
    return [
      ...(await host.examine()),
      ...(await repairFindings(host.log)),
      ...(options.probe ? [await probeFinding(host, options.model)] : []),
    ]
  } finally {
    await host.close()
  }
}

function cellsOf({ what, holds, seen }: Finding): Cell[] {
  const head: Cell = holds ? { style: 'green', text: `✓ ${what}` } : { style: 'red', text: `✗ ${what}` }
  return [head, { style: 'reset', text: seen }]
}

function person(): Finding {
  const there = process.stdin.isTTY && process.stderr.isTTY
  return {
    what: 'person',
    holds: true,
    seen: there
      ? 'approval requests are shown in this terminal'
      : 'nobody at this terminal: calls that need approval are DENIED, unless --yes or --wait',
  }
}
