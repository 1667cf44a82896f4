import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Host } from '../../src/index.ts'
import { exampleHost, temporaryFolder } from '../support/example-host.ts'
import { describeTree } from '../support/trees.ts'

const LARGE = 60_000_000

/** A workspace with what undo cannot keep: a large file, many files that are too much together, and an ignored large file. */
async function openHost(): Promise<Host> {
  const host = await exampleHost({ home: temporaryFolder() })
  const at = (path: string) => join(host.workspace, path)
  execFileSync('git', ['-C', host.workspace, 'init', '-q'])
  for (const folder of ['data', 'many', 'build']) mkdirSync(at(folder))
  for (const path of ['data/large.bin', 'build/large.bin']) {
    writeFileSync(at(path), 'begin\n')
    truncateSync(at(path), LARGE)
  }
  for (let number = 0; number < 7; number++) {
    writeFileSync(at(`many/${number}`), 'begin\n')
    truncateSync(at(`many/${number}`), 45_000_000)
  }
  writeFileSync(at('.gitignore'), 'build/\n')
  return host
}

/** A call that runs a script in a way that no rule can read beforehand. */
const hide = (script: string) => ({
  language: 'python',
  code: `import base64, subprocess\nsubprocess.run([chr(98) + 'ash', '-ec', base64.b64decode('${Buffer.from(script).toString('base64')}')], check=True)`,
})

test.for([
  ['a large file is deleted', 'rm data/large.bin'],
  ['its folder is deleted', 'rm -r data'],
  ['it is overwritten', 'echo new > data/large.bin'],
  ['it is moved away and changed', 'mv data/large.bin data/x; echo new > data/x'],
  ['its folder becomes a file', 'rm -r data; echo new > data'],
  ['more files than are kept together are deleted', 'rm -r many'],
] as const)('nothing that undo cannot restore is lost without a question: %s', async ([, script]) => {
  const host = await openHost()
  const before = describeTree(join(host.workspace, 'data'))
  const result = await host.call('run_code', hide(script))
  expect(result, result.text).toMatchObject({
    ok: false,
    code: 'DENIED',
    text: expect.stringContaining('undo cannot restore'),
  })
  expect(describeTree(join(host.workspace, 'data'))).toEqual(before)
  expect(await host.call('run_code', hide(script), { decision: 'allow' })).toMatchObject({ ok: true })
})

test('what git ignores, what only gets another name, and what undo can restore asks nothing', async () => {
  const host = await openHost()
  const result = await host.call(
    'run_code',
    hide('mv data/large.bin data/moved.bin; rm -r build; rm many/0; echo new > many/1; echo x > data/small'),
  )
  expect(result, result.text).toMatchObject({ ok: true })
  expect(readFileSync(join(host.workspace, 'many/1'), 'utf8')).toBe('new\n')
})
