import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../core/call/result.ts'
import type { RunOrder, RunReport, SandboxFinding } from '../core/ports/sandbox.ts'
import type { SandboxPreparer } from './bubblewrap/prepared-sandbox.ts'
import type { GroupMaker } from './limits/control-group.ts'

/** The sandbox to examine. */
export interface ExamineOptions {
  readonly groups: GroupMaker
  readonly preparer: SandboxPreparer
  run(order: RunOrder): Promise<RunReport>
}

/** Each line tries to break a promise and prints its name when it succeeds. */
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

const ALLOW_NAMESPACES = 'sysctl kernel.apparmor_restrict_unprivileged_userns=0'

const PROMISES: readonly (readonly [string, string])[] = [
  ['writes', 'nothing outside the workspace can be written'],
  ['kernel', 'no kernel setting can be written'],
  ['reads', 'no home folder and no other temporary file can be read'],
  ['network', 'the network is off'],
  ['namespaces', 'no new namespace can be created inside'],
  ['filter', 'system calls are filtered'],
  ['capabilities', 'no capability remains'],
]

/** Checks each promise with a real run and returns what was observed. */
export async function examineSandbox(examined: ExamineOptions): Promise<SandboxFinding[]> {
  const elsewhere = mkdtempSync(join(tmpdir(), 'haft-probe-'))
  const remove = () => rmSync(elsewhere, { recursive: true, force: true })
  // A person may leave while the examination runs.
  process.once('exit', remove)
  try {
    const secret = join(elsewhere, 'secret')
    writeFileSync(secret, 'a secret')
    const argv = ['bash', '-c', ATTEMPTS, 'bash', secret, homedir()]
    const { stdout, stderr } = await examined.run({ argv, dryRun: false, limits: { seconds: 20 } })
    if (!stdout.endsWith('tried\n'))
      return [{ promise: 'starts', holds: false, seen: `a command did not run: ${stderr.trim()}` }]
    const broken = stdout.split('\n')
    const tried = PROMISES.map(([name, words]) => ({
      promise: name,
      holds: !broken.includes(name),
      seen: broken.includes(name) ? `NOT true: ${words}` : words,
    }))
    return [
      ...tried,
      ...limitFindings(examined.groups),
      applyFinding(examined.preparer),
      ...(await programFindings(examined)),
    ]
  } catch (thrown) {
    return [
      {
        promise: 'starts',
        holds: false,
        seen: `${messageOf(thrown)} On Ubuntu 24.04 user namespaces may be restricted; to allow them: ${ALLOW_NAMESPACES}`,
        remedy: ALLOW_NAMESPACES,
      },
    ]
  } finally {
    process.off('exit', remove)
    remove()
  }
}

function limitFindings({ holds }: GroupMaker): SandboxFinding[] {
  const inside = process.getuid?.() === 0 ? 'watched: counted ten times a second' : 'limited inside the sandbox'
  return [
    {
      promise: 'memory',
      holds: true,
      seen: holds.memory ? 'limited by a control group' : 'watched: summed ten times a second',
    },
    { promise: 'processes', holds: true, seen: holds.processes ? 'limited by a control group' : inside },
  ]
}

function applyFinding(preparer: SandboxPreparer): SandboxFinding {
  const why = preparer.whyDirect()
  const overlay = preparer.isApart()
    ? 'commands run on an overlay, all or nothing; it is on another file system, so their changes are copied'
    : 'commands run on an overlay, all or nothing'
  const seen =
    why === undefined
      ? overlay
      : `commands change the workspace directly, so that their changes are neither judged nor undoable; git hooks, git settings and .haft are read-only to them: ${why}`
  return { promise: 'changes', holds: true, seen }
}

async function programFindings({ run }: ExamineOptions): Promise<SandboxFinding[]> {
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
