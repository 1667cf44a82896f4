import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeTree } from '../../test/support/trees.ts'
import { ToolError } from '../core/call/result.ts'
import type { Replaced } from '../core/ports/files.ts'
import { createFiles } from './files.ts'

const { signal } = new AbortController()
const paths = fc.constantFrom('a', 'b', 'd', 'd/a', 'd/b', 'd/e', 'd/e/a', 'link', 'new/deep/er')
const changes = fc.oneof(
  fc.record({ do: fc.constant('write' as const), path: paths, bytes: fc.uint8Array({ maxLength: 20 }) }),
  fc.record({ do: fc.constant('delete' as const), path: paths, recursive: fc.boolean() }),
  fc.record({ do: fc.constant('move' as const), path: paths, to: paths, overwrite: fc.boolean() }),
)

test('the kept content of random changes restores the workspace byte for byte', () => {
  fc.assert(
    fc.property(fc.array(changes, { minLength: 1, maxLength: 12 }), (wanted) => {
      const workspace = setUp()
      const records: Replaced[] = []
      const files = createFiles({ workspace, replaced: (record) => records.push(record) }).forCall({
        id: 'c',
        expects: {},
        signal,
      })
      const before = describeTree(workspace)
      for (const change of wanted) {
        const kept = records.length
        const now = describeTree(workspace)
        try {
          if (change.do === 'write') files.write(change.path, change.bytes)
          else if (change.do === 'delete') files.delete(change.path, change)
          else files.move(change.path, change.to, change)
        } catch (error) {
          if (!(error instanceof ToolError)) throw error
          undo(workspace, records.splice(kept))
          expect(describeTree(workspace)).toEqual(now)
        }
      }
      undo(workspace, records)
      expect(describeTree(workspace)).toEqual(before)
      rmSync(workspace, { recursive: true })
    }),
    { numRuns: 300 },
  )
})

function setUp(): string {
  const workspace = mkdtempSync(join(tmpdir(), 'haft-undo-'))
  mkdirSync(join(workspace, 'd/e'), { recursive: true })
  for (const path of ['a', 'd/a', 'd/b', 'd/e/a']) writeFileSync(join(workspace, path), `first ${path}`)
  chmodSync(join(workspace, 'd/a'), 0o755)
  chmodSync(join(workspace, 'd/e'), 0o750)
  symlinkSync('d/a', join(workspace, 'link'))
  return workspace
}

/** The simplest undo: the reported changes, last first. */
function undo(workspace: string, records: readonly Replaced[]): void {
  for (const { path, before, movedFrom } of [...records].reverse()) {
    const at = join(workspace, path)
    if (movedFrom !== undefined) {
      if (isThere(join(workspace, movedFrom))) continue
      renameSync(at, join(workspace, movedFrom))
    } else if (before?.type !== 'directory') rmSync(at, { force: true, recursive: before === null })
    if (before === null) continue
    if (before.type === 'directory' && !existsSync(at)) mkdirSync(at)
    if (before.type === 'symlink') symlinkSync(before.target, at)
    if (before.type === 'file') writeFileSync(at, before.bytes ?? '')
    if (before.type !== 'symlink') chmodSync(at, before.mode)
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
