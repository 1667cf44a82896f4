// A process that stands still in the middle of writing a file, its temporary file written, until it is killed.
import { createHost } from '../../src/app/create-host.ts'
import { createMemoryStorage } from '../../src/store/memory/memory-storage.ts'

const [workspace = '', path = ''] = process.argv.slice(2)
const memory = createMemoryStorage()
const storage = { ...memory, undo: { ...memory.undo, keep: standStill } }
const host = await createHost({ workspace, storage })
await host.call('write_file', { path, content: 'half way' }, { decision: 'allow' })

function standStill(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}
