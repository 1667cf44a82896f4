import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const WORKER = join(import.meta.dirname, '../../test/support/kept-files-worker.ts')

test('processes that change the files of one home at once lose nothing of each other', async () => {
  const home = mkdtempSync(join(tmpdir(), 'haft-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const names = ['a', 'b', 'c', 'd']
  const ended = names.map((name) =>
    once(spawn(process.execPath, [WORKER, home, name, '25'], { stdio: 'inherit' }), 'exit'),
  )
  for (const [code] of await Promise.all(ended)) expect(code).toBe(0)
  const entries = names.flatMap((name) => Array.from({ length: 25 }, (_, i) => `${name}-${i}`)).sort()
  const read = (file: string) => JSON.parse(readFileSync(join(home, file), 'utf8'))
  expect(Object.keys(read('trust.json')).sort()).toEqual(entries.map((entry) => `/${entry.replace('-', '/')}`))
  expect(Object.keys(read('mcp-tools.json')).sort()).toEqual(entries)
  expect(Object.keys(read('model-keys.json')).sort()).toEqual(entries)
  const { shared, ...signIns } = read('mcp-sign-ins.json')
  expect(Object.keys(signIns).sort()).toEqual(entries)
  expect(shared.wantedScope.trim().split(' ').sort()).toEqual(entries)
})
