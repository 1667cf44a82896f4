import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHost } from '../../src/app/create-host.ts'
import { setStage } from '../support/path-fixture.ts'

const parts = fc.constantFrom(
  '..',
  '.',
  '',
  'dir',
  'a.txt',
  'secret.txt',
  'out',
  'ws',
  'ws-evil',
  'way',
  'up',
  'file',
  'nowhere',
  '~',
  '%2e%2e',
  '\0',
  '.git',
  'new',
)
const paths = fc.array(parts, { minLength: 1, maxLength: 6 }).map((list) => list.join('/'))
const tools = fc.constantFrom(
  'read_file',
  'write_file',
  'edit_file',
  'delete_file',
  'move_file',
  'list_directory',
  'list_files',
  'search_text',
  'find_files',
)

test('random paths never leave the workspace', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(tools, paths, paths), { minLength: 1, maxLength: 6 }), async (calls) => {
      using fixture = await setStage()
      symlinkSync(fixture.outside, join(fixture.workspace, 'way'))
      symlinkSync('../..', join(fixture.workspace, 'dir/up'))
      symlinkSync('../out/secret.txt', join(fixture.workspace, 'file'))
      symlinkSync('../out/created', join(fixture.workspace, 'nowhere'))
      const before = fixture.outsideNow()
      const host = await createHost({ workspace: fixture.workspace })
      for (const [tool, path, to] of calls) {
        const result = await host.call(tool, argumentsOf(tool, path, to), { decision: 'allow' })
        expect(JSON.stringify(result)).not.toContain('CANARY')
        expect(result).not.toMatchObject({ code: 'EXECUTION_ERROR' })
      }
      await host.close()
      expect(fixture.outsideNow()).toBe(before)
    }),
    { numRuns: 150 },
  )
})

function argumentsOf(tool: string, path: string, to: string): object {
  if (tool === 'write_file') return { path, content: 'ours' }
  if (tool === 'edit_file') return { path, edits: [{ old: 'CANARY', new: 'ours' }] }
  if (tool === 'delete_file') return { path, recursive: true }
  if (tool === 'move_file') return { from: path, to, overwrite: true }
  if (tool === 'list_directory') return { path, recursive: true, includeHidden: true }
  if (tool === 'search_text') return { pattern: 'CANARY', path }
  return tool === 'find_files' ? { pattern: '**/*', path } : { path }
}
