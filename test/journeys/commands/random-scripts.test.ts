import { execFileSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHost, type Rule } from '../../../src/index.ts'
import { temporaryFolder } from '../../support/example-host.ts'
import { describeTree } from '../../support/trees.ts'

/** HAFT_RANDOM_RUNS=500 tries more scripts. */
const RUNS = Number(process.env.HAFT_RANDOM_RUNS ?? 60)

const name = fc.constantFrom('a', 'b', 'd', 'd/x', 'd/y', 'd/e', 'd/e/z', 'l', '.envrc')
const text = fc.constantFrom('one', 'two')

const command = fc.oneof(
  fc.tuple(text, name).map(([words, to]) => `echo ${words} > ${to}`),
  fc.tuple(text, name).map(([words, to]) => `echo ${words} >> ${to}`),
  name.map((path) => `rm -rf ${path}`),
  name.map((path) => `mkdir -p ${path}`),
  fc.tuple(name, name).map(([from, to]) => `mv -T ${from} ${to}`),
  fc.tuple(name, name).map(([from, to]) => `rm -rf ${to}; mv -T ${from} ${to}`),
  fc.tuple(name, name).map(([from, to]) => `[ -f ${from} ] && cp -T ${from} ${to}`),
  fc.tuple(name, name).map(([from, to]) => `ln -sfn ${from} ${to}`),
  name.map((path) => `[ -f ${path} ] && chmod 600 ${path}`),
)
const script = fc
  .array(command, { minLength: 1, maxLength: 10 })
  .map((lines) => `exec 2>/dev/null\n${lines.join('\n')}\ntrue`)

const globs = fc.uniqueArray(fc.constantFrom('a', 'b', 'd', 'd/**', 'd/e/**', 'd/*', '**/x', 'l', '*'), {
  minLength: 1,
  maxLength: 2,
})
const rules = fc
  .array(
    fc.record({
      decision: fc.constantFrom('deny' as const, 'ask' as const),
      member: fc.constantFrom('writes' as const, 'deletes' as const, 'paths' as const),
      globs,
    }),
    { maxLength: 3 },
  )
  .map((given) =>
    given.map(({ decision, member, globs: list }, index): Rule => ({ name: `r${index}`, decision, [member]: list })),
  )

interface Change {
  readonly kind: 'writes' | 'deletes'
  readonly path: string
}

type Tree = Readonly<Record<string, string>>

/** Lists what differs. An entry that became one of another kind, such as a file that became a link, was deleted and written. */
function changesBetween(before: Tree, after: Tree): Change[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return paths.flatMap((path): Change[] => {
    const [old, now] = [before[path], after[path]]
    if (old === now) return []
    const isGone = old !== undefined && (now === undefined || old.split(' ')[0] !== now.split(' ')[0])
    return [
      ...(isGone ? [{ kind: 'deletes' as const, path }] : []),
      ...(now === undefined ? [] : [{ kind: 'writes' as const, path }]),
    ]
  })
}

/** What the rules say of a change, without any code of Haft: what may not be written may not be deleted either. */
function isAgainst({ writes = [], deletes = [], paths = [] }: Rule, { kind, path }: Change): boolean {
  const counting = [...writes, ...paths, ...(kind === 'deletes' ? deletes : [])]
  return counting.some((glob) => matchesGlob(path, glob))
}

function decideOn(changes: readonly Change[], given: readonly Rule[]): 'allow' | 'ask' | 'deny' {
  const against = given.filter((rule) => changes.some((change) => isAgainst(rule, change)))
  if (against.some(({ decision }) => decision === 'deny')) return 'deny'
  return against.length > 0 || changes.some(({ path }) => path === '.envrc') ? 'ask' : 'allow'
}

/** True when a rule that denies reading hides an entry: the command finds a file that it cannot open, or an empty folder, and may do something else than without the rule. */
function hidesAny(before: Tree, given: readonly Rule[]): boolean {
  const globs = given.flatMap(({ decision, paths = [] }) => (decision === 'deny' ? paths : []))
  return Object.keys(before).some((path) =>
    globs.some((glob) => matchesGlob(path, glob) || matchesGlob(`${path}/any/any`, glob)),
  )
}

/** Code that hides the script, so that nothing of it can be read beforehand. */
const hidden = (bash: string) => ({
  language: 'python',
  code: `import base64, subprocess\nsubprocess.run(["bash", "-c", base64.b64decode("${Buffer.from(bash).toString('base64')}")])`,
})

test(
  'whatever is applied of a random script was allowed by the rules over the real changes, and the rest is left untouched',
  async () => {
    await fc.assert(
      fc.asyncProperty(script, script, rules, fc.boolean(), async (first, second, given, answer) => {
        const [workspace, bare] = [temporaryFolder(), temporaryFolder()]
        execFileSync('bash', ['-c', first], { cwd: workspace })
        cpSync(workspace, bare, { recursive: true, verbatimSymlinks: true })
        const before = describeTree(workspace)
        execFileSync('bash', ['-c', second], { cwd: bare })
        const wanted = changesBetween(before, describeTree(bare))
        const verdict = decideOn(wanted, given)
        const host = await createHost({ workspace, storage: 'memory', rules: given })
        try {
          const result = await host.call('run_code', hidden(second), { decision: answer ? 'allow' : 'deny' })
          const applied = changesBetween(before, describeTree(workspace))
          const mayApply = (decision: 'allow' | 'ask' | 'deny') =>
            decision === 'allow' || (decision === 'ask' && answer)
          expect(mayApply(decideOn(applied, given)), result.text).toBe(true)
          if (!result.ok) expect(applied, result.text).toEqual([])
          if (hidesAny(before, given)) return
          if (!mayApply(verdict) || (given.length === 0 && answer))
            expect(result.ok, result.text).toBe(mayApply(verdict))
          if (result.ok) expect(applied, result.text).toEqual(wanted)
        } finally {
          await host.close()
        }
      }),
      {
        numRuns: RUNS,
        // The rule hides d from the command, which then cannot move what is in it.
        examples: [
          ['mkdir -p d/e', 'mv -T d/e a; mkdir -p a', [{ name: 'r0', decision: 'deny', paths: ['d/**'] }], false],
        ],
      },
    )
  },
  RUNS * 2_000,
)

test(
  'a script that can be read is judged beforehand too: nothing that a rule is against is ever applied',
  async () => {
    let changed = 0
    await fc.assert(
      fc.asyncProperty(script, script, rules, async (first, second, given) => {
        const workspace = temporaryFolder()
        execFileSync('bash', ['-c', first], { cwd: workspace })
        const before = describeTree(workspace)
        const host = await createHost({ workspace, storage: 'memory', rules: given, mode: 'edit' })
        try {
          const result = await host.call('shell', { command: second }, { decision: 'deny' })
          const applied = changesBetween(before, describeTree(workspace))
          expect(decideOn(applied, given), result.text).toBe('allow')
          changed += applied.length
        } finally {
          await host.close()
        }
      }),
      { numRuns: RUNS },
    )
    // Some scripts must have run.
    expect(changed).toBeGreaterThan(0)
  },
  RUNS * 2_000,
)
