import { expect, test } from 'vitest'
import type { Loaded, ToolSource } from '../core/ports/tool-source.ts'
import { defineTool } from '../core/tool/tool.ts'
import { openRegistry } from './open-registry.ts'

const loaded = (name: string): Loaded => ({
  tools: [
    {
      tool: defineTool({ name, description: 'It', effect: 'none', input: { type: 'object' }, execute: () => name }),
      source: name,
    },
  ],
  skipped: [],
})

/** A source whose loads end when the test says so. */
async function openHeld() {
  const loads: ((outcome: Loaded) => void)[] = []
  let change = () => {}
  const source: ToolSource = {
    id: 'held',
    origin: 'user',
    load: () => new Promise((resolve) => loads.push(resolve)),
    onChange(listener) {
      change = listener
      return () => undefined
    },
  }
  const opening = openRegistry({ sources: [source], replaceRules: () => [], onReloaded: () => undefined })
  await expect.poll(() => loads.length).toBe(1)
  loads[0]?.(loaded('first'))
  const { registry, close } = await opening
  const names = () => registry.list().flatMap(({ name }) => (['first', 'second', 'third'].includes(name) ? [name] : []))
  return { loads, names, close, change: () => change() }
}

test('S0.4 what a load found is offered although the files have changed again, so that endless changes hold nothing up', async () => {
  const { loads, names, change } = await openHeld()
  change()
  change()
  loads[1]?.(loaded('second'))
  await expect.poll(names).toEqual(['second'])
  loads[2]?.(loaded('third'))
  await expect.poll(names).toEqual(['third'])
})

test('an earlier load that ends after a later one changes nothing, nor does one that ends after the registry was closed', async () => {
  const { loads, names, change, close } = await openHeld()
  change()
  change()
  loads[2]?.(loaded('third'))
  await expect.poll(names).toEqual(['third'])
  loads[1]?.(loaded('second'))
  change()
  await close()
  loads[3]?.(loaded('first'))
  await new Promise((resolve) => setImmediate(resolve))
  expect(names()).toEqual(['third'])
})

test('who waits for a tool while files are loading goes on when the registry is closed', async () => {
  const folder: ToolSource = { id: 'endless', origin: 'user', load: () => new Promise(() => undefined) }
  const opened = await openRegistry({ folders: [folder], replaceRules: () => [], onReloaded: () => undefined })
  const waiting = opened.waitFor('late')
  expect(waiting).toBeInstanceOf(Promise)
  await opened.close()
  await waiting
  expect(opened.waitFor('late')).toBeUndefined()
})
