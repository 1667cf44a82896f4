import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Host, Rule } from '../../src/index.ts'
import { exampleHost, temporaryFolder } from '../support/example-host.ts'
import { openRequest } from '../support/open-request.ts'

const ASK: Rule = { name: 'ask_shell', decision: 'ask', tools: ['shell'] }

async function openHost(): Promise<Host> {
  const host = await exampleHost({ home: temporaryFolder(), wait: true, rules: [ASK] })
  writeFileSync(join(host.workspace, 's.sh'), 'echo shown > ran\n', { mode: 0o755 })
  for (const folder of ['build', 'docs']) {
    mkdirSync(join(host.workspace, folder))
    writeFileSync(join(host.workspace, folder, 'a'), `${folder}\n`)
  }
  for (const folder of ['', 'docs']) {
    writeFileSync(join(host.workspace, folder, 'package.json'), '{"scripts":{"build":"true","lint":"linter"}}')
    writeFileSync(join(host.workspace, folder, 'Makefile'), '.PHONY: build\nbuild:\n\ttrue\n-include rules.mk\n')
  }
  writeFileSync(join(host.workspace, 'tool.py'), '\n')
  symlinkSync('s.sh', join(host.workspace, 'link.sh'))
  writeFileSync(join(host.workspace, 'outer.sh'), 'bash ./docs/inner.sh\n')
  writeFileSync(join(host.workspace, 'docs/inner.sh'), 'true\n')
  writeFileSync(join(host.workspace, 'rules.mk'), 'extra:\n\ttrue\n')
  writeFileSync(join(host.workspace, 'main.py'), 'import helper\nfrom docs.part import X\n')
  writeFileSync(join(host.workspace, 'helper.py'), '\n')
  writeFileSync(join(host.workspace, 'docs/part.py'), 'X = 1\n')
  mkdirSync(join(host.workspace, 'node_modules/.bin'), { recursive: true })
  writeFileSync(join(host.workspace, 'node_modules/.bin/linter'), '#!/bin/sh\ntrue\n', { mode: 0o755 })
  writeFileSync(join(host.workspace, 'main.js'), "require('./docs/part')\n")
  writeFileSync(join(host.workspace, 'docs/part.js'), '1\n')
  return host
}

const SWAPS: readonly (readonly [string, string, (root: string) => void])[] = [
  ['a script', 'bash s.sh', (root) => writeFileSync(join(root, 's.sh'), 'echo swapped > ran\n')],
  ['a script that is run by its path', './s.sh', (root) => writeFileSync(join(root, 's.sh'), 'echo swapped > ran\n')],
  ...[
    ['bash link.sh', 's.sh', 'echo swapped > ran\n'],
    ['bash outer.sh', 'docs/inner.sh', 'echo swapped > ran\n'],
    ['node main.js', 'docs/part.js', "require('fs').writeFileSync('ran', 'swapped')\n"],
    ['npm run build', 'package.json', '{"scripts":{"build":"echo swapped > ran"}}'],
    ['npm --prefix docs run build', 'docs/package.json', '{"scripts":{"build":"echo swapped > ../ran"}}'],
    ['make build', 'Makefile', 'build:\n\techo swapped > ran\n'],
    ['sh -c "make build"', 'GNUmakefile', 'build:\n\techo swapped > ran\n'],
    ['cd docs && make build', 'docs/Makefile', 'build:\n\techo swapped > ../ran\n'],
    ['make extra', 'rules.mk', 'extra:\n\techo swapped > ran\n'],
    ['npx linter', 'node_modules/.bin/linter', '#!/bin/sh\necho swapped > ran\n'],
    ['npm run lint', 'node_modules/.bin/linter', '#!/bin/sh\necho swapped > ran\n'],
    ['python3 main.py', 'helper.py', "open('ran', 'w').write('swapped')\n"],
    ['python3 main.py', 'docs/part.py', "X = 1\nopen('ran', 'w').write('swapped')\n"],
    ['python3 -m tool', 'tool.py', "open('ran', 'w').write('swapped')\n"],
  ].map(
    ([command = '', path = '', text = '']) =>
      [`the ${path} of ${command}`, command, (root: string) => writeFileSync(join(root, path), text)] as const,
  ),
  [
    'a folder to delete, by a link to another',
    'rm -rf build/',
    (root) => {
      rmSync(join(root, 'build'), { recursive: true })
      symlinkSync('docs', join(root, 'build'))
    },
  ],
  [
    'a folder to delete, by a file',
    'rm -rf build',
    (root) => {
      rmSync(join(root, 'build'), { recursive: true })
      writeFileSync(join(root, 'build'), 'precious\n')
    },
  ],
]

test.for(SWAPS)('%s that is swapped before the yes is a CONFLICT, and nothing runs', async ([, command, swap]) => {
  const host = await openHost()
  const calling = host.call('shell', { command })
  const { request } = await openRequest(host)
  swap(host.workspace)
  await host.approvals.answer(request.approval, { approved: true })
  expect(await calling).toMatchObject({ ok: false, code: 'CONFLICT' })
  expect(existsSync(join(host.workspace, 'ran'))).toBe(false)
  expect(readFileSync(join(host.workspace, 'docs/a'), 'utf8')).toBe('docs\n')
})

test.for(SWAPS)('%s that stays as it was runs after the yes', async ([, command]) => {
  const host = await openHost()
  const calling = host.call('shell', { command })
  const { request } = await openRequest(host)
  await host.approvals.answer(request.approval, { approved: true })
  expect(await calling).toMatchObject({ ok: true, data: { exitCode: 0 } })
})
