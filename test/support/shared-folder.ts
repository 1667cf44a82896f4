import { execFileSync } from 'node:child_process'
import { accessSync, chmodSync, constants, copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { inject, onTestFinished } from 'vitest'
import { canReach } from '../../src/sandbox/owner.ts'

/** The user without rights as whom some tests run. */
export const NOBODY = { uid: 65534, gid: 65534 }

/** What the unprivileged user of a test run can reach, wherever the clone and the temporary folder lie. */
export interface SharedFolder {
  readonly folder: string
  /** The Node that runs the tests. */
  readonly node: string
  /** The folder of run-orders.mjs, recover.mjs and forwarder.mjs, each a bundle of its own. */
  readonly programs: string
  /** Where every user may put temporary files. */
  readonly temporary: string
}

declare module 'vitest' {
  interface ProvidedContext {
    shared: SharedFolder
  }
}

/** Makes the shared folder of one test run; the caller removes it. */
export async function makeSharedFolder(): Promise<SharedFolder> {
  const folder = realpathSync(mkdtempSync(join(findSharedPlace(), 'haft-shared-')))
  chmodSync(folder, 0o711)
  const programs = join(folder, 'programs')
  const sources = ['run-orders', 'recover', '../../src/sandbox/network/forwarder']
  const input = sources.map((name) => join(import.meta.dirname, `${name}.ts`))
  const bundle = await rolldown({ input, platform: 'node', logLevel: 'silent' })
  await bundle.write({
    dir: programs,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  })
  await bundle.close()
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  chmodSync(temporary, 0o1777)
  return { folder, programs, temporary, node: shareNode(folder) }
}

/** An empty folder that its owner can reach, whoever that is; gone when the test ends. */
export function sharedFolder(): string {
  const folder = mkdtempSync(join(inject('shared').folder, 'haft-'))
  onTestFinished(() => {
    // Tests close folders to the very user who runs them.
    execFileSync('chmod', ['-R', 'u+rwX', folder])
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

/** The folder for temporary files, or one that is not private where that is. */
function findSharedPlace(): string {
  const places = [tmpdir(), '/tmp', '/var/tmp', '/dev/shm']
  const place = places.find((path) => isWritable(path) && (process.getuid?.() !== 0 || canReach(NOBODY, path)))
  if (place === undefined) throw new Error(`no folder that every user can enter was found among ${places.join(', ')}`)
  return place
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** This Node, copied where the user without rights cannot reach it. */
function shareNode(folder: string): string {
  const node = realpathSync(process.execPath)
  if (canReach(NOBODY, node)) return node
  const copy = join(folder, 'node')
  copyFileSync(node, copy)
  chmodSync(copy, 0o755)
  return copy
}
