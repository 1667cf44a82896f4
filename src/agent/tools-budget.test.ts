import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ToolDefinition } from '../core/ports/model.ts'
import type { Event } from '../core/session/event.ts'
import type { RegisteredTool } from '../core/tool/snapshot.ts'
import { countToolTokens } from './history/count-tokens.ts'
import { offerTools, ToolUse } from './tools-budget.ts'

const definition = (name: string, size = 300): ToolDefinition => ({
  name,
  description: 'x'.repeat(size),
  parameters: { type: 'object' },
})

const CONTROL = ['find_tools', 'task_complete']

/** A snapshot as far as offering uses it. */
const snapshot = {
  find: (name: string) =>
    ({ wireName: name, origin: 'built-in', tool: { control: CONTROL.includes(name) } }) as unknown as RegisteredTool,
}

const at = { session: 's', id: 'e', at: 0 }

function search(call: string, data: unknown): Event[] {
  return [
    { ...at, type: 'message', role: 'assistant', content: '', calls: [{ call, name: 'find_tools', arguments: {} }] },
    { ...at, type: 'call-end', call, result: { ok: true, text: '', data }, duration: 1 },
  ]
}

function useOf(events: readonly Event[]): ToolUse {
  const use = new ToolUse()
  for (const event of events)
    if (event.type === 'message') use.addCalls(event.calls)
    else if (event.type === 'call-end') use.addResult(event.call, event.result)
  return use
}

const all = [
  ...CONTROL.map((name) => definition(name, 50)),
  ...Array.from({ length: 50 }, (_, i) => definition(`t${i}`)),
]
const names = (offered: readonly ToolDefinition[]) => offered.map(({ name }) => name)

describe('offering tools', () => {
  it('offers all of them, without find_tools, while they fit into a quarter of the window', () => {
    const offered = offerTools(all, { snapshot, use: useOf([]), window: 100_000 })
    expect(names(offered)).toEqual(names(all).filter((name) => name !== 'find_tools'))
  })

  it('keeps the others behind find_tools when they do not fit, and stays within the quarter', () => {
    const offered = offerTools(all, { snapshot, use: useOf([]), window: 8_000 })
    expect(names(offered).slice(0, 3)).toEqual(['find_tools', 'task_complete', 't0'])
    expect(offered.length).toBeLessThan(all.length / 2)
    expect(countToolTokens(offered)).toBeLessThanOrEqual(2_000)
  })

  it('offers what was found and what was called before what was never used', () => {
    const called: Event = {
      ...{ ...at, type: 'message', role: 'assistant', content: '' },
      calls: [{ call: 'c9', name: 't48', arguments: {} }],
    }
    const use = useOf([called, ...search('c1', { tools: ['t40'] }), ...search('c2', { tools: ['t45', 't46'] })])
    const offered = names(offerTools(all, { snapshot, use, window: 1_800 }))
    expect(offered).toEqual(['find_tools', 'task_complete', 't40', 't45', 't46', 't48'])
  })

  it('offers what the latest search found even where it is larger than the quarter', () => {
    const large = [...all, definition('huge', 50_000)]
    const use = useOf(search('c1', { tools: ['huge'] }))
    expect(names(offerTools(large, { snapshot, use, window: 4_000 }))).toContain('huge')
  })

  it('offers everything in a session without find_tools, since nothing could be found', () => {
    const without = all.filter(({ name }) => name !== 'find_tools')
    expect(offerTools(without, { snapshot, use: useOf([]), window: 100 })).toEqual(without)
  })

  it('takes any data of a search without failing, and offers only tools that are there, each once', () => {
    fc.assert(
      fc.property(fc.anything(), fc.array(fc.constantFrom('t1', 't2', '__proto__', '')), (data, tools) => {
        const use = useOf([...search('c1', data), ...search('c2', { tools })])
        const offered = names(offerTools(all, { snapshot, use, window: 4_000 }))
        expect(new Set(offered).size).toBe(offered.length)
        for (const name of offered) expect(names(all)).toContain(name)
        for (const name of tools) if (name.startsWith('t')) expect(offered).toContain(name)
      }),
    )
  })
})
