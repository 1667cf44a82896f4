// A process that stands still in the middle of writing a file, its temporary file written, until it is killed.
import { createHost } from '../../src/host.ts'
import { createMemoryStore } from '../../src/store/memory.ts'

const [workspace = '', path = ''] = process.argv.slice(2)
const store = { ...createMemoryStore(), keepReplaced: standStill }
const host = await createHost({ workspace, store })
await host.call('write_file', { path, content: 'half way' }, { decision: 'allow' })

function standStill(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}
