import { describe, expect, it } from 'vitest'
import type { KeptReplaced } from '../../src/core/ports/undo-store.ts'
import { callEvents } from '../support/call-events.ts'
import { STORAGES } from '../support/storages.ts'

describe.each(STORAGES)('the undo records of %s', (_, open) => {
  it('hold what changes of files replaced, in order, and name the calls that made them', () => {
    const { log, undo } = open()
    for (const call of ['c1', 'c2', 'c3']) for (const body of callEvents({ call }).slice(0, -1)) log.append(body)
    const bytes = Uint8Array.from({ length: 2_500_000 }, (_, i) => i % 251)
    const file = { type: 'file', mode: 0o640 } as const
    const of = { call: 'c2', workspace: '/w' }
    const records: KeptReplaced[] = [
      { call: 'c1', workspace: '/v', path: 'new', before: null, after: 'hash' },
      { ...of, path: 'a', before: { ...file, bytes }, after: 'hash' },
      { ...of, path: 'b', before: { ...file, bytes: new Uint8Array() }, after: null },
      { ...of, path: 'l', before: { type: 'symlink', target: 'a' }, after: null },
      { ...of, path: 'd', before: { type: 'directory', mode: 0o755 }, after: null, movedFrom: 'e' },
      { ...of, path: 'a', before: { ...file, bytes }, after: 'hash' },
      { ...of, path: 'huge', before: { ...file, bytes: null }, after: null },
    ]
    for (const record of records) undo.keep(record)
    expect(undo.by('c2').map(plainBytes)).toEqual(records.slice(1).map(plainBytes))
    expect(undo.by('c3')).toEqual([])
    expect(undo.changedCalls()).toEqual(['c2', 'c1'])
    expect(undo.changedCalls({ limit: 1 })).toEqual(['c2'])
    expect(undo.changedCalls({ workspace: '/v' })).toEqual(['c1'])
    expect(undo.changedCalls({ workspace: '/elsewhere' })).toEqual([])
  })
})

function plainBytes(record: KeptReplaced): object {
  const { before } = record
  return before?.type === 'file'
    ? { ...record, before: { ...before, bytes: before.bytes && Buffer.from(before.bytes).toString('base64') } }
    : record
}
