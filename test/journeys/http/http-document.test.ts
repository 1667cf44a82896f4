import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { Route } from '../../../src/core/api/route.ts'
import { ROUTES } from '../../../src/core/api/routes.ts'
import { startTestServer } from '../../support/http/test-server.ts'

const root = join(import.meta.dirname, '../../..')
const document = readFileSync(join(root, 'docs/http.md'), 'utf8')
const run = promisify(execFile)

const blocksOf = (language: string) =>
  [...document.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) => text)

/** True if an output is what the document shows; … stands for anything. */
function fits(shown: string, output: string): boolean {
  const parts = shown
    .trim()
    .split('…')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`).test(output.trim())
}

test('the curl examples of docs/http.md do what the document shows', { timeout: 60_000 }, async () => {
  const { url, token, workspace } = await startTestServer()
  writeFileSync(join(workspace, 'plan.md'), '# Plan\n')
  const steps = blocksOf('console').flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [command = '', ...shown] = step.split('\n')
        return { command, shown: shown.join('\n') }
      }),
  )
  expect(steps.length).toBeGreaterThanOrEqual(7)
  const script = steps.map(({ command }) => `${command}\nprintf '\\n=====\\n'`).join('\n')
  const env = { ...process.env, HAFT_URL: url, HAFT_TOKEN: token }
  const { stdout } = await run('bash', ['-c', script], { cwd: workspace, env })
  const outputs = stdout.split('\n=====\n')
  for (const [at, { command, shown }] of steps.entries())
    expect(fits(shown, outputs[at] ?? ''), `${command}\n${outputs[at]}`).toBe(true)
})

test('the Node example of docs/http.md prints what the document shows, with the package as it is built', {
  timeout: 60_000,
}, async () => {
  const { url, token, workspace } = await startTestServer()
  writeFileSync(join(workspace, 'plan.md'), '# Plan\n')
  mkdirSync(join(workspace, 'node_modules'))
  symlinkSync(root, join(workspace, 'node_modules/haft'))
  const [example = ''] = blocksOf('js')
  const shown = blocksOf('text').at(-1) ?? ''
  writeFileSync(join(workspace, 'example.mjs'), example)
  const env = { ...process.env, HAFT_URL: url, HAFT_TOKEN: token }
  const { stdout } = await run(process.execPath, ['example.mjs'], { cwd: workspace, env })
  expect(stdout).toBe(shown)
})

test('the client needs nothing of Node', () => {
  const seen = new Set<string>()
  const visit = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    const text = readFileSync(file, 'utf8')
    expect(text, file).not.toMatch(/from\s*["']node:|import\(["']node:|\bprocess\.|\bBuffer\b/)
    for (const [, target = ''] of text.matchAll(/from\s*["'](\.[^"']+)["']/g)) visit(join(file, '..', target))
  }
  visit(join(root, 'dist/client/client.js'))
})

test('docs/http.md lists every route', () => {
  for (const { method, path, about } of Object.values<Route>(ROUTES))
    expect(document).toContain(`| \`${method} ${path}\` | ${about} |`)
})
