import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/example-host.ts'
import { openSandboxAs, USERS } from '../../support/sandbox-users.ts'
import { describeTree } from '../../support/trees.ts'

const name = fc.constantFrom('a', 'b', 'd', 'd/x', 'd/y', 'd/e', 'd/e/z', 'l')
const text = fc.constantFrom('one', 'two', 'three')
const mode = fc.constantFrom('700', '755', '644', '600')

const command = fc.oneof(
  fc.tuple(text, name).map(([words, to]) => `echo ${words} > ${to}`),
  fc.tuple(text, name).map(([words, to]) => `echo ${words} >> ${to}`),
  name.map((path) => `rm -rf ${path}`),
  name.map((path) => `mkdir -p ${path}`),
  name.map((path) => `: > ${path}`),
  fc.tuple(name, name).map(([from, to]) => `mv -T ${from} ${to}`),
  // No folders: what a copy of a folder into itself leaves depends on the order of its entries.
  fc.tuple(name, name).map(([from, to]) => `[ -f ${from} ] && cp -T ${from} ${to}`),
  fc.tuple(name, name).map(([from, to]) => `ln -sfn ${from} ${to}`),
  fc.tuple(mode, name).map(([bits, path]) => `[ -f ${path} ] && chmod ${bits} ${path}`),
)
const script = fc
  .array(command, { minLength: 1, maxLength: 12 })
  .map((lines) => `exec 2>/dev/null\n${lines.join('\n')}\ntrue`)

describe.for(USERS)('any script of %s', (user) => {
  test('leaves the same tree on the overlay as without a sandbox, one after another', async () => {
    const { bash, workspace, own } = openSandboxAs(user)
    const bare = temporaryFolder()
    await fc.assert(
      fc.asyncProperty(script, script, async (first, second) => {
        for (const folder of [workspace, bare])
          for (const entry of readdirSync(folder)) rmSync(join(folder, entry), { recursive: true })
        execFileSync('bash', ['-c', first], { cwd: bare })
        cpSync(bare, workspace, { recursive: true, verbatimSymlinks: true })
        own()
        execFileSync('bash', ['-c', second], { cwd: bare })
        const report = await bash(second)
        expect(report, JSON.stringify(report)).toMatchObject({ ended: 'exit', mode: 'overlay' })
        expect(describeTree(workspace)).toEqual(describeTree(bare))
      }),
      { numRuns: 60 },
    )
  }, 120_000)
})
