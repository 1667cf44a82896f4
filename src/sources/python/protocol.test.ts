import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EFFECTS } from '../../core/tool/tool.ts'
import { LineReader } from './line-reader.ts'
import { makeTool } from './make-tool.ts'
import { readAnswer } from './read-answer.ts'
import { readReport } from './read-report.ts'

test('lines come out as they went in, however the text is cut', () => {
  const line = fc.string().map((text) => text.replaceAll('\n', ' '))
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat(30)), (lines, cuts) => {
      const read: string[] = []
      const reader = new LineReader(
        (one) => read.push(one),
        () => expect.unreachable(),
      )
      let rest = lines.map((one) => `${one}\n`).join('')
      for (const cut of cuts) {
        reader.add(rest.slice(0, cut))
        rest = rest.slice(cut)
      }
      reader.add(rest)
      expect(read).toEqual(lines)
    }),
  )
})

test('whatever a process reports, only well-formed tools, problems and rules come of it', () => {
  const known = fc.record(
    {
      name: fc.oneof(fc.string(), fc.jsonValue()),
      description: fc.oneof(fc.string(), fc.jsonValue()),
      parameters: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()),
      effect: fc.oneof(fc.constantFrom(...EFFECTS), fc.jsonValue()),
      touches: fc.oneof(fc.record({ reads: fc.jsonValue(), writes: fc.array(fc.string()) }), fc.jsonValue()),
      approval: fc.jsonValue(),
      timeout: fc.jsonValue(),
      line: fc.jsonValue(),
      reason: fc.jsonValue(),
      forbidden: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  const members = fc.oneof(fc.array(fc.oneof(known, fc.jsonValue())), fc.jsonValue())
  const file = fc.record({
    path: fc.oneof(fc.string(), fc.jsonValue()),
    tools: members,
    problems: members,
    rules: members,
  })
  fc.assert(
    fc.property(fc.oneof(file, fc.jsonValue()), (message) => {
      const read = readReport(message)
      if (read === undefined) return
      const { path, tools, problems, rules } = read
      expect(path).toBeTypeOf('string')
      for (const { reason } of problems) expect(reason).toBeTypeOf('string')
      for (const { forbidden } of rules) expect(forbidden.every((one) => typeof one === 'string')).toBe(true)
      for (const report of tools) {
        const tool = makeTool(report, path, async () => undefined)
        expect(EFFECTS).toContain(tool.effect)
        expect(tool.touches?.({ path: 1 }) ?? []).toEqual([])
      }
    }),
  )
})

test('an answer of any form gives a value or a ToolError', () => {
  const message = fc.dictionary(fc.constantFrom('value', 'error', 'image', 'stopped', 'text', 'size'), fc.jsonValue())
  fc.assert(
    fc.property(message, (given) => {
      try {
        readAnswer({ line: JSON.stringify(given), message: given })
      } catch (thrown) {
        expect(thrown).toMatchObject({ name: 'ToolError', code: expect.stringMatching(/^[A-Z_]+$/) })
      }
    }),
  )
})
