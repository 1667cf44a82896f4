import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The engine: llama.cpp for Node. It is large, so it is installed for this test alone and removed afterwards. */
const ENGINE = 'node-llama-cpp@3.22.1'

// Runs one round trip with a real engine on each wire. HAFT_ENGINE names a folder where the engine is installed already.
const root = join(import.meta.dirname, '..')
const installed = process.env.HAFT_ENGINE
const folder = installed ?? mkdtempSync(join(tmpdir(), 'haft-engine-'))
try {
  if (installed === undefined) {
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ENGINE], { cwd: folder })
  }
  run(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'test/engine'], { cwd: root })
} finally {
  if (installed === undefined) rmSync(folder, { recursive: true, force: true })
}

function run(program: string, args: readonly string[], { cwd }: { readonly cwd: string }): void {
  const env = { ...process.env, HAFT_ENGINE: folder, HAFT_BUILT: '1' }
  const { status, error } = spawnSync(program, args, { cwd, env, stdio: 'inherit' })
  if (error) throw new Error(`${program} cannot be started: ${error.message}`)
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}`)
}
