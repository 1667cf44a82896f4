import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { HostOptions } from '../../../src/index.ts'
import { exampleHost } from '../../support/example-host.ts'
import { writeFiles } from '../../support/git.ts'
import { findRust } from '../../support/rust.ts'

findRust()

/** A project with one test that passes, one that fails and one that is skipped, and what its runner is expected to report. */
interface Sample {
  readonly runner: string
  readonly files: Readonly<Record<string, string>>
  readonly failure: { readonly name: RegExp; readonly file?: string; readonly line?: number; readonly message: RegExp }
  /** Counts with `filter`, if the runner has one. */
  readonly filtered?: { readonly filter: string; readonly passed: number }
  readonly skipped?: number
  readonly passed?: number
  /** Needs the packages of this project, which only exist outside the sandbox. */
  readonly needsPackages?: boolean
}

const JS_TESTS =
  "test('adds', () => { expect(1 + 1).toBe(2) })\ntest('fails here', () => {\n  expect(1 + 1).toBe(3)\n})\ntest.skip('later', () => {})\n"

const SAMPLES: readonly Sample[] = [
  {
    runner: 'vitest',
    files: {
      'package.json': '{"type":"module","scripts":{"test":"vitest"}}',
      'sum.test.js': `import { expect, test } from 'vitest'\n${JS_TESTS}`,
    },
    failure: { name: /^fails here$/, file: 'sum.test.js', line: 4, message: /expected 2 to be 3/ },
    filtered: { filter: 'adds', passed: 1 },
    needsPackages: true,
  },
  {
    runner: 'jest',
    files: { 'package.json': '{"scripts":{"test":"jest"}}', 'sum.test.js': JS_TESTS },
    failure: { name: /^fails here$/, file: 'sum.test.js', line: 3, message: /Expected: 3/ },
    filtered: { filter: 'adds', passed: 1 },
    needsPackages: true,
  },
  {
    runner: 'node --test',
    files: {
      'package.json': '{"type":"module","scripts":{"test":"node --test"}}',
      'test/sum.test.js':
        "import assert from 'node:assert'\nimport { test } from 'node:test'\ntest('adds', () => assert.equal(2, 2))\ntest('fails <here>', () => {\n  assert.equal(1 + 1, 3)\n})\ntest('later', { skip: true }, () => {})\n",
    },
    failure: { name: /^fails <here>$/, file: 'test/sum.test.js', line: 5, message: /2 == 3/ },
    filtered: { filter: 'adds', passed: 1 },
  },
  {
    runner: 'npm test with another runner, by what it prints',
    files: {
      'package.json': '{"type":"module","scripts":{"test":"node run.js"}}',
      'run.js':
        "console.log('TAP version 13\\nok 1 - adds\\nnot ok 2 - fails here\\n  ---\\n  at: ' + process.cwd() + '/run.js:7\\n  message: no\\n  ...\\nok 3 - later # SKIP\\n1..3'); process.exit(1)\n",
    },
    failure: { name: /^fails here$/, file: 'run.js', line: 7, message: /message: no/ },
  },
  {
    runner: 'pytest',
    files: {
      'pytest.ini': '[pytest]\n',
      'test_sum.py':
        'import pytest\n\ndef test_adds():\n    assert 1 + 1 == 2\n\ndef test_fails_here():\n    assert 1 + 1 == 3\n\n@pytest.mark.skip\ndef test_later():\n    pass\n',
    },
    failure: { name: /test_fails_here$/, file: 'test_sum.py', line: 7, message: /assert \(1 \+ 1\) == 3/ },
    filtered: { filter: 'adds', passed: 1 },
  },
  {
    runner: 'unittest',
    files: {
      'tests/test_sum.py':
        'import unittest\n\nclass Sums(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(1 + 1, 2)\n\n    def test_fails_here(self):\n        self.assertEqual(1 + 1, 3)\n\n    @unittest.skip("later")\n    def test_later(self):\n        pass\n',
    },
    failure: { name: /test_fails_here$/, file: 'tests/test_sum.py', line: 8, message: /2 != 3/ },
    filtered: { filter: 'adds', passed: 1 },
  },
  {
    runner: 'go test',
    files: {
      'go.mod': 'module example.com/sum\n\ngo 1.19\n',
      'sum.go': 'package sum\n\nfunc Add(a, b int) int { return a + b }\n',
      'sum_test.go':
        'package sum\n\nimport "testing"\n\nfunc TestAdds(t *testing.T) {\n\tif Add(1, 1) != 2 {\n\t\tt.Error("no")\n\t}\n}\n\nfunc TestFailsHere(t *testing.T) {\n\tt.Errorf("got %d", Add(1, 1))\n}\n\nfunc TestLater(t *testing.T) { t.Skip() }\n',
    },
    failure: { name: /TestFailsHere$/, file: 'sum_test.go', line: 12, message: /got 2/ },
    filtered: { filter: 'TestAdds', passed: 1 },
  },
  {
    runner: 'cargo test',
    files: {
      'Cargo.toml': '[package]\nname = "sum"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs':
        '#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() { assert_eq!(1 + 1, 2); }\n    #[test]\n    fn fails_here() { assert_eq!(1 + 1, 3); }\n    #[test]\n    #[ignore]\n    fn later() {}\n}\n',
    },
    failure: { name: /^tests::fails_here$/, file: 'src/lib.rs', line: 6, message: /left: .?2/ },
    filtered: { filter: 'adds', passed: 1 },
  },
  {
    runner: 'make',
    files: { Makefile: 'test:\n\t@echo running; echo "it broke" >&2; exit 1\n' },
    failure: { name: /^make test$/, message: /it broke/ },
    passed: 0,
    skipped: 0,
  },
]

test.for(SAMPLES)(
  'S1.13 run_tests reads the report of $runner, without asking',
  { timeout: 240_000 },
  async (sample) => {
    const options: HostOptions = sample.needsPackages ? { sandbox: 'off' } : {}
    const host = await exampleHost(options)
    writeFiles(host.workspace, sample.files)
    if (sample.needsPackages)
      symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(host.workspace, 'node_modules'))
    const given = sample.needsPackages ? ({ decision: 'allow' } as const) : {}
    const result = await host.call('run_tests', {}, { ...given, timeout: 200 })
    expect(result).toMatchObject({
      ok: true,
      data: { passed: sample.passed ?? 1, failed: 1, skipped: sample.skipped ?? 1, exitCode: expect.any(Number) },
    })
    const [failure] = (result.ok ? (result.data as { failures: Sample['failure'][] }).failures : []) as unknown as {
      name: string
      file?: string
      line?: number
      message: string
    }[]
    const { name, message, ...place } = sample.failure
    expect(failure).toMatchObject({
      name: expect.stringMatching(name),
      message: expect.stringMatching(message),
      ...place,
    })
    expect(result.text).toMatch(/^\d+ passed, 1 failed, \d+ skipped in [\d.]+ s \(/)
    expect(result.text).not.toMatch(/haft-[0-9a-f]{8}-/)
    if (sample.filtered === undefined) return
    const { filter, passed } = sample.filtered
    const filtered = await host.call('run_tests', { filter }, { ...given, timeout: 200 })
    expect(filtered).toMatchObject({ ok: true, data: { passed, failed: 0, exitCode: 0, failures: [] } })
  },
)

test('run_tests uses the project nearest to the path, and names files from the workspace', async () => {
  const host = await exampleHost()
  writeFiles(host.workspace, {
    Makefile: 'test:\n\t@exit 1\n',
    'packages/a/pytest.ini': '[pytest]\n',
    'packages/a/test_one.py': 'def test_one():\n    assert False\n',
    'packages/a/test_two.py': 'def test_two():\n    pass\n',
  })
  expect(await host.call('run_tests', { path: 'packages/a' })).toMatchObject({
    data: { passed: 1, failed: 1, failures: [{ file: 'packages/a/test_one.py' }] },
  })
  expect(await host.call('run_tests', { path: 'packages/a/test_two.py' })).toMatchObject({
    data: { passed: 1, failed: 0 },
  })
})

test('run_tests says what it looked for if there are no tests, and stops at its time limit', async () => {
  const host = await exampleHost()
  const none = await host.call('run_tests', {})
  expect(none).toMatchObject({
    ok: false,
    code: 'FILE_NOT_FOUND',
    text: expect.stringContaining('No tests were found'),
  })
  writeFiles(host.workspace, { Makefile: 'test:\n\tsleep 600\n' })
  expect(await host.call('run_tests', { timeout: 1 })).toMatchObject({ ok: false, code: 'TIMEOUT' })
})
