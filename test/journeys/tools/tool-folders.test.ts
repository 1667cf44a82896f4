import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderHost } from '../../support/tool-folder.ts'

const PARAMETERS = '{"type": "object", "properties": {"a": {"type": "integer", "description": "A number"}}}'

/** A Python file with one tool that waits for `a` milliseconds and returns a value; `more` is added to its spec, and `before` stands above it. */
const python = (name: string, value: number, { more = '', before = '' } = {}) => `${before}
HERE = ${value}
def run(a=0): __import__('time').sleep(a / 1000); return [HERE, ${value}]
TOOL_SPECS = [{"name": "${name}", "description": "It", "parameters": ${PARAMETERS}, "handler": run, "effect": "none"${more}}]
`

const typescript = (name: string, value: number, { more = '', before = '' } = {}) => `${before}
const here: number = ${value}
export default { name: '${name}', description: 'It', effect: 'none', parameters: ${PARAMETERS}, handler: async ({ a = 0 }) => { await new Promise((go) => setTimeout(go, a)); return [here, ${value}] }${more} }
`

/** Twenty files that cannot be used, each in another way, with the line and the reason that are expected. */
const BROKEN: Readonly<Record<string, readonly [text: string, line: number | undefined, reason: RegExp]>> = {
  'broken-01.py': ['x = 1\ndef f(:\n', 2, /SyntaxError/],
  'broken-02.py': ['import no_such_module_here\n', 1, /No module named 'no_such_module_here'/],
  'broken-03.py': ['\nraise ValueError("no key")\n', 2, /ValueError: no key/],
  'broken-04.py': ['import sys\nsys.exit(3)\n', 2, /sys\.exit\(3\)/],
  'broken-05.py': ['import os\nos._exit(4)\n', undefined, /its import ended the process: .*exit code 4/],
  'broken-06.py': ['TOOL_SPECS = {"name": "x"}\n', 1, /TOOL_SPECS is a dict; expected a list/],
  'broken-07.py': ['x = 1\n', undefined, /it defines no tools/],
  'broken-08.py': [
    'TOOL_SPECS = [{"name": "x", "description": "d", "handler": print}]\n',
    1,
    /'parameters' is missing/,
  ],
  'broken-09.py': [python('x', 0, { more: ', "handler": "run"' }), 4, /'handler' is a str; expected a function/],
  'broken-10.py': [python('x', 0, { more: ', "parameters": {"type": "array"}' }), 4, /it has 'array'/],
  'broken-11.py': [python('x', 0, { more: ', "effect": "destroy"' }), 4, /'effect' is 'destroy'/],
  'broken-12.py': [python('not a name!', 0), 3, /"not a name!" is not a valid tool name/],
  'broken-13.ts': ['\nenum Level { A }\n', 2, /TypeScript that has to be compiled/],
  'broken-14.ts': ['const a = 1\nconst = 2\n', 2, /it has a syntax error/],
  'broken-15.ts': ["\nthrow new Error('no key')\n", 2, /it could not be loaded: no key/],
  'broken-16.ts': ["import 'not-installed'\n", undefined, /Cannot find package 'not-installed'/],
  'broken-17.ts': ['export const a = 1\n', undefined, /it exports no tool/],
  'broken-18.ts': ['process.exit(3)\n', undefined, /it ended the process while it was loaded: exit code 3/],
  'broken-19.ts': [typescript('y', 0, { more: ", description: ''" }), 3, /"y" has no description/],
  'broken-20.ts': [typescript('y', 0, { more: ", parameters: { type: 'string' }" }), 3, /must have the root/],
}

/** Files whose tool has a name that another has; the first keeps it. */
const TAKEN: Readonly<Record<string, readonly [text: string, line: number, reason: RegExp]>> = {
  'taken-1.py': [python('good_000', 0), 3, /"good_000" is taken by a tool from .*good_000\.py:3$/],
  'taken-2.py': [python('read_file', 0), 3, /"read_file" is taken by a built-in tool$/],
  'taken-3.py': [python('run_command', 0), 3, /"run_command" is taken by a built-in tool$/],
  'taken-4.ts': [typescript('good_099', 0), 3, /"good_099" is taken by a tool from .*good_099\.ts:3$/],
  'taken-5.ts': [typescript('good_001', 0), 3, /"good_001" is taken by a tool from .*good_001\.py:3$/],
  'taken-6.ts': [typescript('shell', 0), 3, /"shell" is taken by a built-in tool$/],
}

test('S0.2 S0.3 of 100 good files, 20 broken ones and 6 with taken names exactly the good tools are offered, each other with its reason', async () => {
  const good = Array.from({ length: 100 }, (_, index) => `good_${String(index).padStart(3, '0')}`)
  const files = Object.fromEntries(
    good.map((name, index) =>
      index < 60 ? [`${name}.py`, python(name, index)] : [`${name}.ts`, typescript(name, index)],
    ),
  )
  const wrong = { ...BROKEN, ...TAKEN }
  const wrongTexts = Object.fromEntries(Object.entries(wrong).map(([name, [text]]) => [name, text]))
  const { host, folder, names } = await folderHost({ ...files, ...wrongTexts })
  expect(names().toSorted()).toEqual(good)
  const { skipped } = host.registry.snapshot()
  expect(skipped.toSorted((a, b) => (a.source < b.source ? -1 : 1))).toEqual(
    Object.entries(wrong).map(([name, [, line, reason]]) => ({
      source: join(folder, name),
      ...(line !== undefined && { line }),
      reason: expect.stringMatching(reason),
    })),
  )
  for (const [index, name] of good.entries()) expect(await host.call(name)).toMatchObject({ data: [index, index] })
}, 120_000)

test.for([
  { language: 'Python', ending: 'py', file: python },
  { language: 'TypeScript', ending: 'ts', file: typescript },
])(
  'S0.4 1,000 $language calls, 64 in flight, while files change 200 times: each gets a result of one version',
  { timeout: 120_000 },
  async ({ ending, file }) => {
    const { host, folder, write } = await folderHost({ [`tool.${ending}`]: file('run', 0) })
    const save = (value: number) => {
      write(`_next.${ending}`, file('run', value))
      renameSync(join(folder, `_next.${ending}`), join(folder, `tool.${ending}`))
    }
    let changes = 0
    let calls = 0
    const seen = new Set<number>()
    // Every eighth caller has calls that last longer than old code is kept.
    const caller = async (_: unknown, index: number) => {
      const given = index % 8 === 0 ? { a: 700 } : {}
      while (changes < 200 || calls < 1_000) {
        calls++
        const result = await host.call('run', given)
        expect(result).toMatchObject({ ok: true })
        const [first, second] = result.ok ? (result.data as number[]) : []
        expect(first).toBe(second)
        seen.add(first ?? -1)
      }
    }
    const editor = async () => {
      for (let value = 1; value <= 200; value++) {
        save(value)
        // Every eighth is waited for; between them the watcher decides which versions are loaded.
        if (value % 8 === 0) await host.refreshTools()
        changes++
      }
    }
    await Promise.all([...Array.from({ length: 64 }, caller), editor()])
    expect(calls).toBeGreaterThanOrEqual(1_000)
    expect(seen.size).toBeGreaterThan(10)
    expect(await host.call('run')).toMatchObject({ data: [200, 200] })
  },
)
