import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lchownSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statfsSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { ToolError } from '../../../core/call/result.ts'
import { NAMES, removeRunFolder } from '../run-folder.ts'
import { writeDurably } from '../write-durably.ts'
import type { Step } from './step.ts'

/** Copies what the steps put from a run folder on another file system into a new folder of the workspace, so that they only rename. Nothing is replaced before all of it is there. Returns the steps and the folder that they apply from. */
export function stageBeside(
  steps: readonly Step[],
  workspace: string,
  run: string,
): { readonly steps: readonly Step[]; readonly source: string } {
  checkRoom(steps, workspace, run)
  const source = join(workspace, `.haft-${randomBytes(6).toString('hex')}.tmp`)
  // Noted first, so that the next start removes it after a kill -9.
  writeDurably(join(run, NAMES.beside), source)
  mkdirSync(source, 0o700)
  for (const name of [NAMES.stage, NAMES.kept]) mkdirSync(join(source, name))
  const staged = steps.map((step, number) => {
    if (step.step !== 'put') return step
    const from = join(NAMES.stage, `${number}`)
    copyLeaf(join(run, step.from), join(source, from))
    return { ...step, from }
  })
  return { steps: staged, source }
}

/** Removes the folder that changes were staged in, if there is one. */
export function removeBeside(run: string): void {
  const note = join(run, NAMES.beside)
  if (!existsSync(note)) return
  removeRunFolder(JSON.parse(readFileSync(note, 'utf8')))
  rmSync(note)
}

/** Throws when the new files do not fit beside the old ones. */
function checkRoom(steps: readonly Step[], workspace: string, run: string): void {
  const { bavail, bsize } = statfsSync(workspace)
  const blocks = steps.reduce(
    (sum, step) => sum + (step.step === 'put' ? Math.ceil(lstatSync(join(run, step.from)).size / bsize) : 0),
    0,
  )
  if (blocks <= bavail) return
  const megabytes = (count: number) => `${((count * bsize) / 1024 ** 2).toFixed(1)} MB`
  throw new ToolError(
    'EXECUTION_ERROR',
    `The files that the command wrote take ${megabytes(blocks)}, and the disk of the workspace has ${megabytes(bavail)} left: ${megabytes(blocks - bavail)} are missing. None of its changes were applied. Free that much there and run it again.`,
  )
}

function copyLeaf(from: string, to: string): void {
  const stats = lstatSync(from)
  const isLink = stats.isSymbolicLink()
  if (isLink) symlinkSync(readlinkSync(from), to)
  else copyFileSync(from, to)
  if (process.getuid?.() === 0) (isLink ? lchownSync : chownSync)(to, stats.uid, stats.gid)
  if (!isLink) chmodSync(to, stats.mode & 0o7777)
  lutimesSync(to, stats.atime, stats.mtime)
}
