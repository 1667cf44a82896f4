import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createHost, type Host } from '../../../src/index.ts'
import { exampleHost, temporaryFolder } from '../../support/example-host.ts'
import { writeFiles } from '../../support/git.ts'

interface Hit {
  readonly path: string
  readonly line: number
  readonly endLine: number
  readonly name: string
  readonly text: string
}

async function search(
  host: Host,
  query: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<readonly Hit[]> {
  const result = await host.call('search_code', { query, ...more })
  if (!result.ok) throw new Error(result.text)
  return (result.data as { hits: Hit[] }).hits
}

const FILES = {
  'src/cart.ts':
    "import { tax } from './tax.ts'\n\n/** Adds up the prices of all items. */\nexport function computeTotal(items: Item[]): number {\n  return items.reduce((sum, item) => sum + item.price, 0)\n}\n\nexport class ShoppingCart {\n  #items = []\n\n  removeItem(id: string) {\n    this.#items = this.#items.filter((item) => item.id !== id)\n  }\n}\n\nexport const roundHalfEven = (value: number) => {\n  return Math.round(value)\n}\n",
  'lib/http.py':
    'import socket\n\nclass HttpClient:\n    """Talks to a server."""\n\n    def parse_headers(self, raw):\n        return dict(line.split(": ") for line in raw.splitlines())\n\n    def close_connection(self):\n        self.sock.close()\n',
  'main.go':
    'package main\n\n// retryWithBackoff calls f again after longer and longer pauses.\nfunc retryWithBackoff(f func() error) error {\n\treturn f()\n}\n',
  'core.rs':
    'pub struct Tree { root: u8 }\n\nimpl Tree {\n    /// Rotates a subtree to the left.\n    pub fn rotate_left(&mut self) { self.root = 1; }\n}\n',
  'App.java':
    'class App {\n  // Encrypts a message with the public key.\n  String encryptMessage(String text) { return text; }\n}\n',
  'notes.md': '# Deployment\n\nRun the release script on the staging machine.\n',
  'ignored/secret.ts': 'export function computeTotal() {}\n',
  '.gitignore': 'ignored\n',
}

test.for([
  ['sum the price of every item', 'src/cart.ts', 'computeTotal', 3, 6],
  ['remove an item from the cart', 'src/cart.ts', 'removeItem', 11, 13],
  ['rounding half to even', 'src/cart.ts', 'roundHalfEven', 16, 18],
  ['parsing header lines', 'lib/http.py', 'parse_headers', 6, 7],
  ['retry with longer pauses', 'main.go', 'retryWithBackoff', 3, 6],
  ['rotate subtree left', 'core.rs', 'rotate_left', 4, 5],
  ['encrypt with a public key', 'App.java', 'encryptMessage', 2, 3],
  ['staging release', 'notes.md', '', 1, 4],
] as const)('S1.13 search_code finds code by what it does: %s', async ([query, path, name, line, endLine]) => {
  const host = await exampleHost()
  writeFiles(host.workspace, FILES)
  const [first] = await search(host, query)
  expect(first).toMatchObject({ path, name, line, endLine })
  expect(await search(host, query, { maxResults: 1 })).toHaveLength(1)
})

test('what .gitignore leaves out is not found, a path narrows the search, and the text shows the lines', async () => {
  const host = await exampleHost()
  writeFiles(host.workspace, FILES)
  const all = await search(host, 'compute total', { maxResults: 50 })
  expect(all.map(({ path }) => path)).not.toContain('ignored/secret.ts')
  const below = await search(host, 'item header retry', { path: 'lib' })
  expect(new Set(below.map(({ path }) => path))).toEqual(new Set(['lib/http.py']))
  const { text } = await host.call('search_code', { query: 'compute total' })
  expect(text).toContain(
    'src/cart.ts:3-6 computeTotal\n/** Adds up the prices of all items. */\nexport function computeTotal',
  )
  expect(await host.call('search_code', { query: 'x', path: 'nope' })).toMatchObject({
    ok: false,
    code: 'FILE_NOT_FOUND',
  })
})

test('new, changed and deleted files count at the next query', async () => {
  const host = await exampleHost()
  writeFiles(host.workspace, FILES)
  expect(await search(host, 'zebra crossing')).toEqual([])
  writeFiles(host.workspace, { 'deep/new/zoo.ts': 'export function zebraCrossing() {}\n' })
  await expect
    .poll(async () => (await search(host, 'zebra crossing')).map(({ name }) => name))
    .toEqual(['zebraCrossing'])
  writeFiles(host.workspace, { 'deep/new/zoo.ts': '\n\nexport function zebraCrossing() {}\n// moved down\n' })
  await expect.poll(async () => (await search(host, 'zebra crossing'))[0]?.line).toBe(3)
  rmSync(join(host.workspace, 'deep'), { recursive: true })
  await expect.poll(() => search(host, 'zebra crossing')).toEqual([])
})

test('a file that a rule denies to read is not found, also if it was read before', async () => {
  const host = await exampleHost()
  writeFiles(host.workspace, FILES)
  expect(await search(host, 'encrypt message')).not.toEqual([])
  host.addRule({ name: 'no_java', decision: 'deny', reason: 'private', reads: ['*.java'] })
  expect((await search(host, 'encrypt message')).map(({ path }) => path)).not.toContain('App.java')
})

test('the index is kept under the home, is used by the next process, and may be deleted or broken', async () => {
  const home = temporaryFolder()
  const workspace = temporaryFolder()
  writeFiles(workspace, FILES)
  const folder = join(home, 'cache/code')
  const ask = async () => {
    const host = await createHost({ home, workspace })
    onTestFinished(() => host.close())
    const [hit] = await search(host, 'sum the price of every item')
    await host.close()
    return hit?.name
  }
  expect(await ask()).toBe('computeTotal')
  const [file = ''] = readdirSync(folder)
  expect(file).toMatch(/^[0-9a-f]{32}\.index$/)
  expect(await ask()).toBe('computeTotal')
  writeFileSync(join(folder, file), 'broken')
  expect(await ask()).toBe('computeTotal')
  rmSync(folder, { recursive: true })
  expect(await ask()).toBe('computeTotal')
  expect(existsSync(join(folder, file))).toBe(true)
})
