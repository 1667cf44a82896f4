import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Tool as OllamaClientTool } from 'ollama'
import { toStrictJsonSchema } from 'openai/lib/transform'
import type { ChatCompletionTool } from 'openai/resources/chat/completions'
import { expect, expectTypeOf, test } from 'vitest'
import { hardTools } from '../../../test/support/schemas/hard-tools.ts'
import { isRecord } from '../../core/text/json.ts'
import { loadToolFolder } from '../load-folder.ts'
import { createRegistry } from '../registry.ts'
import { toAnthropic } from './to-anthropic.ts'
import { toGemini } from './to-gemini.ts'
import { toMcp } from './to-mcp.ts'
import { toOllama } from './to-ollama.ts'
import { toOpenAI } from './to-openai.ts'

const registry = createRegistry()
registry.setSource('built-in', await loadToolFolder(join(import.meta.dirname, '../../tools')), 'built-in')
for (const tool of hardTools) registry.register(tool)
const host = { registry }

const data = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../test/data', `${name}.schema.json`), 'utf8'))
const problemsOf = (schema: object, value: unknown) => {
  const validate = new Ajv2020({ strict: false }).compile(schema)
  validate(value)
  return validate.errors ?? []
}
const lossesOf = (report: ReturnType<typeof toOpenAI>['report'], tool: string) =>
  report.find((one) => one.tool === tool)?.losses.map(({ path, keyword, effect }) => `${effect} ${path} ${keyword}`)

test('S1.10 toOpenAI gives what the openai package takes, and strict mode only to tools that it can express', () => {
  const { tools, report } = toOpenAI(host, { strict: true })
  expectTypeOf(tools).toExtend<ChatCompletionTool[]>()
  for (const { function: made } of tools)
    if (made.strict) {
      expect(problemsOf(data('openai-strict'), made.parameters), made.name).toEqual([])
      // The package's own writer of strict schemas finds nothing to change or to refuse.
      expect(toStrictJsonSchema(made.parameters), made.name).toEqual(made.parameters)
    }
  const strictOf = (name: string) => tools.find(({ function: made }) => made.name === name)?.function.strict
  expect(['read_file', 'edit_file', 'run_code', 'recursive', 'values'].map(strictOf)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
  expect(lossesOf(report, 'run_code')).toContain('looser  openai-strict')
})

test('S1.10 strict mode makes a model send null for what it leaves out, and argumentsOf takes that away', () => {
  const { argumentsOf, tools } = toOpenAI(host, { strict: true })
  const edit = tools.find(({ function: made }) => made.name === 'edit_file')?.function.parameters
  expect(edit).toMatchObject({
    properties: { edits: { items: { properties: { replaceAll: { type: ['boolean', 'null'] } } } } },
    required: ['path', 'edits'],
  })
  const given = { path: 'a', edits: [{ old: 'x', new: 'y', replaceAll: null }] }
  const restored = { path: 'a', edits: [{ old: 'x', new: 'y' }] }
  expect(argumentsOf('edit_file', given)).toEqual(restored)
  expect(argumentsOf('edit_file', JSON.stringify(given))).toEqual(restored)
  expect(argumentsOf('edit_file', '{"path":')).toBe('{"path":')
})

test('S1.10 toOpenAI without strict keeps every schema below the root as it is', () => {
  const { tools, report } = toOpenAI(host)
  expectTypeOf(tools).toExtend<ChatCompletionTool[]>()
  for (const { tool, wireName, offered } of host.registry.snapshot().tools) {
    if (tool.name === 'alternatives') continue
    expect(tools.find(({ function: made }) => made.name === wireName)?.function.parameters).toEqual(offered)
  }
  expect(report.map(({ tool }) => tool)).toEqual(['alternatives'])
})

test('S1.10 alternatives at the root become one object, and the report says so', () => {
  const { tools, report } = toOpenAI(host)
  const made = tools.find(({ function: one }) => one.name === 'alternatives')?.function.parameters
  expect(made).toEqual({
    type: 'object',
    properties: { path: { type: 'string', description: 'A file' }, url: { type: 'string', format: 'uri' } },
    additionalProperties: false,
  })
  expect(lossesOf(report, 'alternatives')).toEqual(['looser  anyOf', 'tighter  properties'])
})

test('S1.10 toAnthropic gives what the published schema takes; a key it refuses is left out and reported', () => {
  const { tools, report } = toAnthropic(host)
  for (const tool of tools) expect(problemsOf(data('anthropic-tool'), tool), tool.name).toEqual([])
  expect(lossesOf(report, 'odd_keys')).toEqual(['tighter a key properties'])
})

test('S1.10 toGemini gives what the published schema takes', () => {
  const { tools, report } = toGemini(host)
  for (const tool of tools) expect(problemsOf(data('gemini-function'), tool)).toEqual([])
  const values = tools[0]?.functionDeclarations.find(({ name }) => name === 'values')?.parameters
  expect(values).toMatchObject({
    type: 'OBJECT',
    properties: {
      level: { type: 'NUMBER', description: 'A level (one of 1, 2, 3)' },
      kind: { type: 'STRING', enum: ['a', 'b'] },
      headers: { type: 'OBJECT', description: 'Headers (any key; each value is {"type":"string"})' },
      maybe: { type: 'STRING', nullable: true, maxLength: '5' },
    },
    required: ['level'],
  })
  expect(lossesOf(report, 'values')).toEqual(
    expect.arrayContaining(['looser level enum', 'looser pair prefixItems', 'tighter anything type']),
  )
  expect(lossesOf(report, 'recursive')).toContain('looser tree.children[] $ref')
})

test('S1.10 toOllama gives what the ollama package takes, and writes limits into descriptions', () => {
  const { tools, report } = toOllama(host)
  expectTypeOf(tools).toExtend<OllamaClientTool[]>()
  const list = tools.find(({ function: made }) => made.name === 'list_directory')?.function.parameters
  expect(isRecord(list) && isRecord(list.properties) && list.properties.limit).toEqual({
    type: 'integer',
    description: 'Maximum entries, default 1000 (at least 1; at most 5000)',
  })
  expect(lossesOf(report, 'list_directory')).toContain('looser limit minimum')
})

test('S1.10 toMcp keeps every schema, with hints on what a tool can do', () => {
  const { tools, report } = toMcp(host)
  expect(report).toEqual([])
  const read = tools.find(({ name }) => name === 'read_file')
  expect(read).toMatchObject({
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object' },
    annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
  })
  expect(tools.find(({ name }) => name === 'shell')?.annotations.readOnlyHint).toBe(false)
})

test('every wire name is legal for its target and leads back to its tool', () => {
  const ids = host.registry.list().map(({ name }) => name)
  const openai = toOpenAI(host)
  const gemini = toGemini(host)
  const names = {
    openai: openai.tools.map(({ function: made }) => made.name),
    gemini: gemini.tools.flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name }) => name)),
  }
  expect(names.openai.map(openai.toolOf)).toEqual(ids)
  expect(names.gemini.map(gemini.toolOf)).toEqual(ids)
  expect(names.gemini).toContain('_9_lives')
  expect(openai.toolOf('weather_get')).toBe('weather:get')
  expect(openai.toolOf('no_such_tool')).toBeUndefined()
})
