import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../core/call/result.ts'
import type { RunOrder, RunReport, SandboxFinding } from '../core/ports/sandbox.ts'
import type { Stages } from './bubblewrap/stage.ts'
import type { GroupMaker } from './limits/control-group.ts'

/** What is examined. */
export interface Examined {
  readonly groups: GroupMaker
  readonly stages: Stages
  run(order: RunOrder): Promise<RunReport>
}

/** Each attempt prints its name when it succeeds, which it should not. */
const ATTEMPTS = `
secret=$1; home=$2
(: > /usr/haft-probe) 2>/dev/null && echo writes
(v=$(cat /proc/sys/kernel/core_pattern) && printf %s "$v" > /proc/sys/kernel/core_pattern) 2>/dev/null && echo kernel
{ cat "$secret" || ls "$home"/.ssh; } >/dev/null 2>&1 && echo reads
(exec 3<>/dev/tcp/1.1.1.1/53) 2>/dev/null && echo network
unshare --user true 2>/dev/null && echo namespaces
grep -q '^Seccomp:.2' /proc/self/status || echo filter
grep -q '^CapEff:.0*$' /proc/self/status || echo capabilities
echo tried
`

const PROMISES: readonly (readonly [string, string])[] = [
  ['writes', 'nothing outside the workspace can be written'],
  ['kernel', 'no setting of the kernel can be written'],
  ['reads', 'no home and no other temporary file can be read'],
  ['network', 'the network is off'],
  ['namespaces', 'no sandbox can be made inside'],
  ['filter', 'system calls are filtered'],
  ['capabilities', 'no capability is left'],
]

/** Tries each promise with a real run and says what was seen. */
export async function examineSandbox(examined: Examined): Promise<SandboxFinding[]> {
  const elsewhere = mkdtempSync(join(tmpdir(), 'haft-probe-'))
  try {
    const secret = join(elsewhere, 'secret')
    writeFileSync(secret, 'a secret')
    const argv = ['bash', '-c', ATTEMPTS, 'bash', secret, homedir()]
    const { stdout, stderr } = await examined.run({ argv, rehearse: false, limits: { seconds: 20 } })
    if (!stdout.endsWith('tried\n'))
      return [{ promise: 'starts', holds: false, seen: `a command did not run: ${stderr.trim()}` }]
    const broken = stdout.split('\n')
    const tried = PROMISES.map(([name, words]) => ({
      promise: name,
      holds: !broken.includes(name),
      seen: broken.includes(name) ? `does NOT hold: ${words}` : words,
    }))
    return [
      ...tried,
      ...limitFindings(examined.groups),
      applyFinding(examined.stages),
      ...(await programFindings(examined)),
    ]
  } catch (thrown) {
    return [
      {
        promise: 'starts',
        holds: false,
        seen: `${messageOf(thrown)} On Ubuntu 24.04 user namespaces may be locked: sysctl kernel.apparmor_restrict_unprivileged_userns=0 unlocks them.`,
      },
    ]
  } finally {
    rmSync(elsewhere, { recursive: true, force: true })
  }
}

function limitFindings({ holds }: GroupMaker): SandboxFinding[] {
  const inside = process.getuid?.() === 0 ? 'watched: counted ten times a second' : 'set inside'
  return [
    {
      promise: 'memory',
      holds: true,
      seen: holds.memory ? 'limited by a control group' : 'watched: summed ten times a second',
    },
    { promise: 'processes', holds: true, seen: holds.processes ? 'limited by a control group' : inside },
  ]
}

function applyFinding(stages: Stages): SandboxFinding {
  const why = stages.whyDirect()
  const overlay = stages.isApart()
    ? 'commands are all or nothing, on an overlay held on another file system: their changes are copied'
    : 'commands are all or nothing, on an overlay'
  const seen = why === undefined ? overlay : `commands change the workspace directly: ${why}`
  return { promise: 'changes', holds: true, seen }
}

async function programFindings({ run }: Examined): Promise<SandboxFinding[]> {
  const programs = [
    ['python', 'python3 --version && python3 -c "import sys; print(sys.executable, sys.prefix)"'],
    ['git', 'git --version'],
  ] as const
  return Promise.all(
    programs.map(async ([promise, command]) => {
      const { stdout, exitCode } = await run({ argv: ['bash', '-c', command], limits: { seconds: 20 } })
      const seen =
        exitCode === 0
          ? `${stdout.trim().replaceAll('\n', ', ')} inside`
          : 'not found inside; commands that need it will fail'
      return { promise, holds: true, seen }
    }),
  )
}
