import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programs } from '../../src/app/programs/programs.ts'
import type { RunOrder, Sandbox } from '../../src/core/ports/sandbox.ts'
import { chooseSandbox } from '../../src/sandbox/choose.ts'
import { importPeer } from '../lib/import-peer.ts'

/** The baseline of the ratios, and the contestants the gates speak of. */
export const BASH = 'bash -c true (baseline)'
export const DIRECT = 'haft, a fresh sandbox on the workspace itself'
export const OVERLAY = 'haft, a fresh sandbox on an overlay'
export const AHEAD = 'haft, a sandbox started ahead, overlay mounted when used'
export const NETWORK = 'haft, a fresh sandbox whose settings open hosts'
export const NETWORK_AHEAD = 'haft, the same, started ahead with its forwarder'

/** A way to run `bash -c true` once; `settle` is called before and not counted. */
export interface Way {
  readonly name: string
  readonly peer?: boolean
  settle?(): Promise<unknown>
  run(): Promise<unknown>
}

/** Everything in the race, and how to take it down. */
export interface Field {
  readonly ways: readonly Way[]
  close(): Promise<void>
}

const TRUE: RunOrder = { argv: ['bash', '-c', 'true'] }

/** Sets up the field; peers come from bench/sandbox/package.json. */
export async function openField(peers: boolean): Promise<Field> {
  const folder = mkdtempSync(join(tmpdir(), 'haft-bench-'))
  const workspace = mkdtempSync(join(folder, 'workspace-'))
  const open = (home: string) =>
    chooseSandbox({
      ...{ workspace, off: false, env: process.env, programs, home: join(folder, home), replaced: () => undefined },
      forwarder: join(import.meta.dirname, '../../dist/sandbox/network/forwarder.js'),
    })
  // A sandbox starts the next one ahead for orders like the last, so orders with a network have one of their own.
  const [sandbox, connected] = [await open('home'), await open('home-network')]
  return {
    ways: [
      ...floors(workspace),
      ...haft(sandbox),
      ...withNetwork(connected),
      ...(peers ? [sandboxRuntime(workspace)] : []),
    ],
    async close() {
      await sandbox.close()
      await connected.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Long enough for what a run leaves to be gone and for the next sandbox to wait. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 300))

function floors(workspace: string): Way[] {
  const bubblewrap = ['--ro-bind', '/', '/', '--dev', '/dev', '--bind', workspace, workspace, '--die-with-parent']
  return [
    { name: BASH, settle, run: () => spawnOnce('bash', ['-c', 'true']) },
    {
      name: 'bwrap --unshare-all, the root read-only (floor)',
      settle,
      run: () => spawnOnce('bwrap', ['--unshare-all', ...bubblewrap, 'bash', '-c', 'true']),
    },
  ]
}

async function runOnce(sandbox: Sandbox, order: RunOrder): Promise<void> {
  const { exitCode, stderr } = await sandbox.run(order, { call: 'bench', signal: new AbortController().signal })
  if (exitCode !== 0) throw new Error(stderr)
}

/** The same command where hosts are open, so that it has a network of which it uses nothing. */
function withNetwork(sandbox: Sandbox): Way[] {
  const network = { local: [], connect: () => Promise.reject(new Error('nothing is open')) }
  const run = () => runOnce(sandbox, { ...TRUE, network })
  return [
    { name: NETWORK, settle: run, run },
    { name: NETWORK_AHEAD, settle, run },
  ]
}

function haft(sandbox: Sandbox): Way[] {
  const run = (order: RunOrder) => runOnce(sandbox, order)
  return [
    { name: DIRECT, settle, run: () => run({ ...TRUE, direct: true }) },
    // Whatever waits is used up first; the next one is not started that soon.
    { name: OVERLAY, settle: () => run(TRUE), run: () => run(TRUE) },
    { name: AHEAD, settle, run: () => run(TRUE) },
  ]
}

interface SandboxRuntime {
  readonly SandboxManager: {
    initialize(settings: unknown): Promise<void>
    wrapWithSandbox(command: string): Promise<string>
  }
}

/** Starts at its first run, in a round that does not count; it needs socat and ripgrep on PATH. */
function sandboxRuntime(workspace: string): Way {
  let started: Promise<SandboxRuntime['SandboxManager']> | undefined
  const start = async () => {
    const path = createRequire(import.meta.url).resolve('@anthropic-ai/sandbox-runtime')
    const { SandboxManager } = await importPeer<SandboxRuntime>(path)
    await SandboxManager.initialize({
      network: { allowedDomains: [], deniedDomains: [] },
      filesystem: { denyRead: [], allowWrite: [workspace], denyWrite: [] },
    })
    return SandboxManager
  }
  return {
    name: 'sandbox-runtime (no limits)',
    peer: true,
    async run() {
      started ??= start()
      await spawnOnce('bash', ['-c', await (await started).wrapWithSandbox('true')])
    },
  }
}

function spawnOnce(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore'] })
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`it ended with ${code}`))))
  })
}
