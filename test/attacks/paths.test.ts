import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createHost } from '../../src/app/create-host.ts'
import type { Host } from '../../src/app/host.ts'
import type { Result } from '../../src/core/call/result.ts'
import { type PathFixture, type Setup, setStage } from '../support/path-fixture.ts'
import { startSwapper } from '../support/swapper.ts'

interface Case {
  readonly id: string
  readonly category: string
  readonly operation: string
  readonly args: Readonly<Record<string, unknown>>
  readonly setup: readonly Setup[]
  readonly why: string
  readonly check: string
  readonly code?: string
  readonly accept: readonly string[]
}

const cases: readonly Case[] = ['paths.json', 'paths-more.json'].flatMap(
  (name) => JSON.parse(readFileSync(join(import.meta.dirname, '../data', name), 'utf8')).cases,
)
const still = cases.filter(({ setup }) => !setup.some((step) => step.do.startsWith('race-')))
const races = cases.filter((each) => !still.includes(each))

describe('no path leaves the workspace', () => {
  test.each(still.map((each) => [each.id, each.why, each] as const))('%s: %s', async (_id, _why, attack) => {
    using fixture = await setStage(attack.setup)
    const host = await createHost({ workspace: fixture.given })
    const args = JSON.parse(fixture.fill(JSON.stringify(attack.args)))
    const before = fixture.outsideNow()
    const { decision, code } = await host.check(attack.operation, args)
    const result = await host.call(attack.operation, args, { decision: 'allow' })
    expect(fixture.outsideNow()).toBe(before)
    expect(JSON.stringify(result)).not.toContain('CANARY')
    expectOutcome(attack, result, decision === 'ask' && code === undefined)
    if (result.ok) expectCheck(attack.check, fixture, result)
    await host.close()
  })
})

function expectOutcome({ accept, code }: Case, result: Result, asked: boolean): void {
  const worked = accept.filter((word) => word.startsWith('allow') || (word === 'ask' && asked))
  expect(result.ok ? worked : accept.filter((word) => word === 'reject')).not.toEqual([])
  if (!result.ok && result.code !== 'BLOCKED' && code !== undefined) expect(code.split('|')).toContain(result.code)
}

function expectCheck(check: string, { workspace }: PathFixture, { text }: Result): void {
  const holds: Readonly<Record<string, () => void>> = {
    'ws/d absent': () => expect(existsSync(join(workspace, 'd'))).toBe(false),
    'ws/dir absent': () => expect(existsSync(join(workspace, 'dir'))).toBe(false),
    'ws/l is a regular file': () => expect(lstatSync(join(workspace, 'l')).isFile()).toBe(true),
    "content 'inside'": () => expect(text).toBe('inside'),
    'returns the content': () => expect(text).toBe('inside'),
    'contains a.txt and dir': () => expect(text).toMatch(/a\.txt[\s\S]*dir/),
  }
  for (const [words, assert] of Object.entries(holds)) if (check.includes(words)) assert()
}

describe('no race leaves the workspace', () => {
  test.each(races.map((each) => [each.id, each.why, each] as const))(
    '%s: %s',
    async (_id, _why, attack) => {
      using fixture = await setStage()
      writeFileSync(join(fixture.outside, 'f'), 'CANARY')
      const before = fixture.outsideNow()
      const host = await createHost({ workspace: fixture.workspace })
      const seen = { worked: 0, refused: 0 }
      {
        await using _swapper = await startSwapper(join(fixture.workspace, 'd'), fixture.outside)
        for (let turn = 0; turn < 2_000; turn++) {
          const result = await callOnce(host, attack, fixture)
          expect(JSON.stringify(result)).not.toContain('CANARY')
          if (result.ok) seen.worked++
          else seen.refused++
        }
      }
      expect(fixture.outsideNow()).toBe(before)
      expect(seen.worked).toBeGreaterThan(0)
      expect(seen.refused).toBeGreaterThan(0)
      await host.close()
    },
    RACE_LIMIT,
  )
})

/** How long one race may take, in milliseconds: on a busy machine the 2,000 turns of a race take far longer than on an idle one. */
const RACE_LIMIT = 240_000

/** Restores what a call removed through the same guarded access, so that the next call finds it again. */
async function callOnce(host: Host, { operation, args }: Case, { workspace }: PathFixture): Promise<Result> {
  if (operation === 'move_file') writeFileSync(join(workspace, 'a.txt'), 'inside')
  if (operation === 'delete_file')
    await host.call('write_file', { path: 'd/f', content: 'real' }, { decision: 'allow' })
  return host.call(operation, operation === 'move_file' ? { ...args, overwrite: true } : args, { decision: 'allow' })
}
