import type { Catalogue } from './catalogue.ts'

/** What many tools cost: cpu in ms, memory in bytes. */
export interface Weight {
  readonly define: number
  readonly first: number
  readonly again: number
  readonly heap: number
  readonly rss: number
}

/** Defines tools, asks for their definitions twice, and weighs what is left after the garbage is gone. Needs --expose-gc. */
export async function weigh(catalogue: Catalogue, count: number): Promise<Weight> {
  const before = memoryAtRest()
  const start = process.cpuUsage()
  const tools = catalogue.define(count)
  const define = cpuSince(start)
  const first = await timeDefinitions(catalogue, tools, count)
  const again = await timeDefinitions(catalogue, tools, count)
  const after = memoryAtRest()
  await timeDefinitions(catalogue, tools, count)
  return { define, first, again, heap: after.heapUsed - before.heapUsed, rss: after.rss - before.rss }
}

/** Keeps nothing of the text, so that only what the contestant itself keeps is weighed. */
async function timeDefinitions(catalogue: Catalogue, tools: unknown, count: number): Promise<number> {
  const start = process.cpuUsage()
  const text = await catalogue.definitions(tools)
  const cpu = cpuSince(start)
  checkDefinitions(text, count)
  return cpu
}

function cpuSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

function memoryAtRest(): NodeJS.MemoryUsage {
  if (globalThis.gc === undefined) throw new Error('start this with --expose-gc')
  globalThis.gc()
  globalThis.gc()
  return process.memoryUsage()
}

interface Definition {
  readonly function: {
    readonly name: string
    readonly parameters: { readonly type: string; readonly properties: { readonly text: { description?: string } } }
  }
}

/** A contestant may have tools of its own beside those it was given. */
function checkDefinitions(text: string, count: number): void {
  const given = (JSON.parse(text) as Definition[]).filter(({ function: { name } }) => /^t\d+$/.test(name))
  const { type, properties } = given[0]?.function.parameters ?? {}
  if (given.length !== count || type !== 'object' || !properties?.text.description) {
    throw new Error(`these are not ${count} definitions: ${text.slice(0, 200)}`)
  }
}
