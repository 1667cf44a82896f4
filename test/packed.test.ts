import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from './support/example-host.ts'

const root = join(import.meta.dirname, '..')

test('a packed Haft installs into an empty project, imports with no optional part, and its command works', () => {
  const folder = temporaryFolder()
  const npm = (args: string[], cwd: string) =>
    execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  const packed = npm(['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], root).trim()
  const project = join(folder, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{"name":"empty","private":true,"type":"module"}')
  npm(['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', join(folder, packed)], project)
  writeFileSync(
    join(project, 'use.mjs'),
    `import { createHost, defineTool, objectSchema, string } from 'haft'
     const greet = defineTool({ name: 'greet', description: 'Greet.', input: objectSchema({ to: string('Whom') }), effect: 'none', execute: ({ to }) => 'Hello, ' + to })
     const host = await createHost({ tools: [greet] })
     console.log((await host.call('greet', '{"to":"you",}')).text)
     await host.close()`,
  )
  expect(execFileSync(process.execPath, ['use.mjs'], { cwd: project, encoding: 'utf8' })).toBe('Hello, you\n')
  const bin = join(project, 'node_modules/.bin/haft')
  expect(
    execFileSync(process.execPath, [bin, 'call', 'task_complete', '{"summary":"done"}'], {
      cwd: project,
      encoding: 'utf8',
    }),
  ).toBe('done\n')
})
