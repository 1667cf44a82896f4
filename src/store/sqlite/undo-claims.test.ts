import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { callEvents } from '../../../test/support/call-events.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { openSqliteStorage } from './open-storage.ts'

async function beginUndo({ log, ledger }: Storage, call: string): Promise<void> {
  for (const body of callEvents({ call, tool: 'undo' }).slice(0, 3)) log.append(body)
  await ledger.begin({ session: 's1', call, effect: 'write', idempotent: false })
}

it('lets one of two stores on a file claim a call, and the other once the first is gone for certain', async () => {
  const path = join(temporaryFolder(), 'log.db')
  const [first, second] = [openSqliteStorage({ path }), openSqliteStorage({ path })]
  await beginUndo(first, 'u1')
  await beginUndo(second, 'u2')
  expect(first.undo.claimUndo(['c1'], 'u1')).toBeUndefined()
  expect(second.undo.claimUndo(['c1'], 'u2')).toEqual({ call: 'c1', undo: 'u1', isRunning: true })
  const database = new DatabaseSync(path)
  database.prepare("UPDATE undoing SET owner = '1-of-a-killed-process'").run()
  database.close()
  expect(second.undo.claimUndo(['c1'], 'u2')).toBeUndefined()
  expect(first.undo.undoOf('c1')).toEqual({ call: 'c1', undo: 'u2', isRunning: true })
  first.close()
  second.close()
})
