import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')
const REFEREE = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
const CLIENT = join(root, 'test/support/mcp/conformance-client.ts')
const BASELINE = join(root, 'test/data/mcp-conformance.yml')

/** How long all scenarios of one revision may take, on a busy machine. */
const PATIENCE = 600_000

/** Runs scenarios of the protocol's own test suite against Haft. */
async function runReferee(args: readonly string[], baseline: string): Promise<{ code: number | null; report: string }> {
  const folder = temporaryFolder()
  const command = `${process.execPath} ${CLIENT}`
  const limits = ['--timeout', '300000', '--output-dir', join(folder, 'results')]
  const given = ['client', '--command', command, ...limits, '--expected-failures', baseline, ...args]
  const env = { ...process.env, HAFT_TURNS: folder }
  const child = spawn(process.execPath, [REFEREE, ...given], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const report = (await Promise.all([text(child.stdout), text(child.stderr)])).join('\n')
  return { code: await ended, report: report.slice(Math.max(0, report.indexOf('=== SUITE SUMMARY'))) }
}

test.each(['2025-11-25', '2026-07-28'])(
  'as a client of the protocol of %s Haft passes every scenario that applies, but those that are known',
  async (version) => {
    const { code, report } = await runReferee(['--suite', 'all', '--spec-version', version], BASELINE)
    expect(report).toMatch(/✓ tools_call: \d+ passed, 0 failed/)
    expect({ code, report }).toEqual({ code: 0, report })
  },
  PATIENCE,
)

test(
  'a scenario that is listed as failing and passes fails the run',
  async () => {
    const baseline = join(temporaryFolder(), 'stale.yml')
    writeFileSync(baseline, 'client:\n  - tools_call\n')
    const { code, report } = await runReferee(['--scenario', 'tools_call'], baseline)
    expect(code).toBe(1)
    expect(report.toLowerCase()).toContain('stale')
  },
  PATIENCE,
)
