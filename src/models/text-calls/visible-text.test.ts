import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  loadTextCallCases,
  type TextCallCase,
  type TextCallCases,
  toolsOfCase,
} from '../../../test/support/text-call-cases.ts'
import { readTextCalls } from './read-text-calls.ts'
import { createVisibleText, type VisiblePart } from './visible-text.ts'

const given = loadTextCallCases('toolcalls.json')
const own = loadTextCallCases('toolcalls-own.json')

/** Cases whose calls, if any, stand in markup, and whose reasoning is opened in the reply. */
const cases = [given, own].flatMap((set) =>
  set.cases
    .map((one) => ({ one, set, reading: readTextCalls(one.text, toolsOfCase(set, one)) }))
    .filter(({ reading }) => !reading.repairs.some((sentence) => sentence.includes('no markup')))
    .filter(({ one }) => !isOpenedInPrompt(one.text)),
)

function isOpenedInPrompt(text: string): boolean {
  const close = text.indexOf('</think>')
  return /^[^<[]/.test(text) && close !== -1 && !text.slice(0, close).includes('<think>')
}

/** Cuts a text at the given shares of its length. */
function split(text: string, shares: readonly number[]): string[] {
  const cuts = [...shares.map((share) => Math.floor(share * text.length)), text.length].sort((a, b) => a - b)
  return cuts.map((cut, index) => text.slice(index === 0 ? 0 : cuts[index - 1], cut))
}

function textOf(parts: readonly VisiblePart[]): string {
  return parts
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text)
    .join('')
}

function show(set: TextCallCases, one: TextCallCase, pieces: readonly string[]): { live: string[]; all: string } {
  const visible = createVisibleText(toolsOfCase(set, one))
  const live = pieces.map((piece) => textOf(visible.push(piece)))
  return { live, all: live.join('') + textOf(visible.end()) }
}

/** By its place, so that a failure prints one case and not all. */
const anyCase = fc.nat(cases.length - 1).map((index) => {
  const found = cases[index]
  if (found === undefined) throw new Error('there is no such case')
  return found
})
const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 })

describe('a reply that is shown while it arrives', () => {
  test('is the visible text of the full reading, however it is split', () => {
    fc.assert(
      fc.property(anyCase, shares, ({ one, set, reading }, cuts) => {
        const { all } = show(set, one, split(one.text, cuts))
        expect({ id: one.id, shown: all }).toEqual({ id: one.id, shown: reading.text })
      }),
      { numRuns: 3000 },
    )
  })

  test('is the same when it arrives character by character', () => {
    for (const { one, set, reading } of cases.filter((_, index) => index % 4 === 0))
      expect({ id: one.id, shown: show(set, one, [...one.text]).all }).toEqual({ id: one.id, shown: reading.text })
  })

  test('holds back nothing of plain prose but blanks at the end', () => {
    const prose =
      'The tests pass. a < b, [1] and {2} are fine; so is a `word` — and 3 > 2.\nNext line, *bold* too.\n\n- item'
    const visible = createVisibleText(toolsOfCase(given, {}))
    let shown = ''
    for (let at = 0; at < prose.length; at++) {
      shown += textOf(visible.push(prose[at] ?? ''))
      expect(at + 1 - shown.length).toBeLessThan(12)
    }
    expect(shown + textOf(visible.end())).toBe(prose)
  })

  test('goes on soon after a marker that is only mentioned', () => {
    const reply = `Older tokenizers had no [TOOL_CALLS] token at all, so ${'nothing can be read there. '.repeat(20)}`
    const visible = createVisibleText(toolsOfCase(given, {}))
    let shown = ''
    for (let at = 0; at < reply.length; at++) {
      shown += textOf(visible.push(reply[at] ?? ''))
      expect(at + 1 - shown.length).toBeLessThan(100)
    }
  })

  test('shows the lines of a code fence as they arrive', () => {
    const visible = createVisibleText(toolsOfCase(given, {}))
    expect(textOf(visible.push('Use this:\n```sh\nnpm ci\nnpm t'))).toBe('Use this:\n```sh\nnpm ci')
  })

  test('gives reasoning as it arrives, apart from text', () => {
    const visible = createVisibleText(toolsOfCase(given, {}))
    expect(visible.push('<think>First the ')).toEqual([{ type: 'reasoning', text: 'First the ' }])
    expect(visible.push('file.</thi')).toEqual([{ type: 'reasoning', text: 'file.' }])
    expect(visible.push('nk>Hello')).toEqual([{ type: 'text', text: 'Hello' }])
    expect(visible.end()).toEqual([])
  })

  test('takes a call of 2 MB in pieces of 100 characters without reading it again each time', () => {
    const content = 'x'.repeat(2_000_000)
    const reply = `I write it.<tool_call>{"name": "write_file", "arguments": {"path": "a", "content": "${content}"}}</tool_call>`
    const pieces = Array.from({ length: Math.ceil(reply.length / 100) }, (_, index) =>
      reply.slice(index * 100, index * 100 + 100),
    )
    expect(show(given, { id: '', text: reply, expect: { calls: [] } }, pieces).all).toBe('I write it.')
  })
})
