import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineTool as defineCopilotTool, type ToolInvocation, type ToolResultObject } from '@github/copilot-sdk'
import { generateText, isStepCount, type ModelMessage, type ToolSet } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { expect, expectTypeOf, test } from 'vitest'
import {
  type Approver,
  defineTool,
  type Host,
  objectSchema,
  type ToolCaller,
  toAiSdk,
  toCopilot,
} from '../../../src/index.ts'
import { exampleHost } from '../../support/example-host.ts'

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

/** A model that makes one call and then says that it is done. */
function modelThatCalls(toolName: string, input: object): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const isDone = prompt.some(({ role }) => role === 'tool')
      return {
        content: isDone
          ? [{ type: 'text', text: 'Done.' }]
          : [{ type: 'tool-call', toolCallId: 'call-1', toolName, input: JSON.stringify(input) }],
        finishReason: { unified: isDone ? 'stop' : 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      }
    },
  })
}

const approver = (approved: boolean): Approver => ({
  name: 'test',
  ask: async () => (approved ? { approved } : { approved, reason: 'not today' }),
})

function hostWithFile(): Promise<Host> {
  return exampleHost().then((host) => {
    writeFileSync(join(host.workspace, 'a.txt'), 'before')
    return host
  })
}
const OVERWRITE = { path: 'a.txt', content: 'after' }
const content = (host: Host) => readFileSync(join(host.workspace, 'a.txt'), 'utf8')

test.for([
  [true, 'after', { type: 'text', value: 'Wrote 5 bytes to a.txt' }],
  [false, 'before', { type: 'execution-denied', reason: expect.stringContaining('not today') }],
] as const)(
  'S1.10 an AI SDK loop runs calls through the pipeline, which asks its approver: %s',
  async ([yes, text, output]) => {
    const host = await hostWithFile()
    const { tools } = toAiSdk(host, { approver: approver(yes) })
    expectTypeOf(tools).toExtend<ToolSet>()
    const model = modelThatCalls('write_file', OVERWRITE)
    const done = await generateText({ model, tools, prompt: 'Overwrite it.', stopWhen: isStepCount(3) })
    expect(done.text).toBe('Done.')
    expect(content(host)).toBe(text)
    expect(model.doGenerateCalls[1]?.prompt.at(-1)).toMatchObject({ role: 'tool', content: [{ output }] })
  },
)

test('S1.10 the AI SDK gets every schema as it is, open objects too', async () => {
  const host = await exampleHost()
  const { tools } = toAiSdk(host)
  const model = modelThatCalls('read_file', { path: 'none.txt' })
  await generateText({ model, tools, prompt: 'Read.', stopWhen: isStepCount(3) })
  const given = model.doGenerateCalls[0]?.tools ?? []
  expect(given.map((tool) => 'inputSchema' in tool && tool.inputSchema)).toEqual(
    host.registry.snapshot().tools.map(({ offered }) => offered),
  )
  expect(model.doGenerateCalls[1]?.prompt.at(-1)).toMatchObject({
    content: [{ output: { type: 'error-text', value: expect.stringContaining('FILE_NOT_FOUND') } }],
  })
})

test.for([true, false])(
  'S1.10 with approvals by the AI SDK a step ends with a request, and the next acts on the answer: %s',
  async (approved) => {
    const host = await hostWithFile()
    const { tools } = toAiSdk(host, { approvals: 'ai-sdk' })
    const model = modelThatCalls('write_file', OVERWRITE)
    const messages: ModelMessage[] = [{ role: 'user', content: 'Overwrite it.' }]
    const asked = await generateText({ model, tools, messages, stopWhen: isStepCount(3) })
    const request = asked.content.find((part) => part.type === 'tool-approval-request')
    expect(content(host)).toBe('before')
    messages.push(...asked.response.messages, {
      role: 'tool',
      content: [{ type: 'tool-approval-response', approvalId: request?.approvalId ?? '', approved }],
    })
    expect((await generateText({ model, tools, messages, stopWhen: isStepCount(3) })).text).toBe('Done.')
    expect(content(host)).toBe(approved ? 'after' : 'before')
  },
)

test('S1.10 an AI SDK loop that approves everything by itself does not answer for Haft: nobody was asked', async () => {
  const host = await hostWithFile()
  const { tools } = toAiSdk(host, { approvals: 'ai-sdk' })
  const model = modelThatCalls('write_file', OVERWRITE)
  const options = { model, tools, prompt: 'Overwrite it.', stopWhen: isStepCount(3) }
  await generateText({ ...options, toolApproval: { write_file: 'approved' } })
  expect(content(host)).toBe('before')
  expect(model.doGenerateCalls[1]?.prompt.at(-1)).toMatchObject({ content: [{ output: { type: 'execution-denied' } }] })
})

test('S1.10 what needs no approval runs at once, also with approvals by the AI SDK', async () => {
  const host = await exampleHost()
  const { tools } = toAiSdk(host, { approvals: 'ai-sdk' })
  const model = modelThatCalls('write_file', { path: 'new.txt', content: 'new' })
  await generateText({ model, tools, prompt: 'Write.', stopWhen: isStepCount(3) })
  expect(existsSync(join(host.workspace, 'new.txt'))).toBe(true)
})

test('S1.10 tools of a session have its selection, and their calls are its calls', async () => {
  const host = await exampleHost()
  const session = await host.session({ tools: ['read_file', 'write_file'] })
  expectTypeOf(session).toExtend<ToolCaller>()
  const { tools } = toAiSdk(session)
  expect(Object.keys(tools)).toContain('write_file')
  expect(Object.keys(tools)).not.toContain('shell')
  await generateText({
    model: modelThatCalls('write_file', { path: 'new.txt', content: 'new' }),
    tools,
    prompt: 'Write.',
    stopWhen: isStepCount(3),
  })
  expect((await session.events()).map(({ type }) => type)).toContain('call-end')
})

test('S1.10 an image that a tool returns is handed to the AI SDK and to the Copilot SDK as one', async () => {
  const image = { name: 'dot.png', mediaType: 'image/png', content: 'iVBORw0KGgo=', encoding: 'base64' }
  const shot = defineTool({
    name: 'shot',
    description: 'Takes a picture.',
    input: objectSchema({}),
    effect: 'none',
    execute: () => ({ image }),
  })
  const host = await exampleHost()
  host.registry.register(shot)
  const model = modelThatCalls('shot', {})
  await generateText({ model, tools: toAiSdk(host).tools, prompt: 'Look.', stopWhen: isStepCount(3) })
  const file = {
    type: 'file',
    mediaType: 'image/png',
    filename: 'dot.png',
    data: { type: 'data', data: image.content },
  }
  expect(model.doGenerateCalls[1]?.prompt.at(-1)).toMatchObject({
    content: [{ output: { type: 'content', value: [{ type: 'text' }, file] } }],
  })
  const handler = toCopilot(host).tools.find(({ name }) => name === 'shot')?.handler
  const result: ToolResultObject | undefined = await handler?.({}, INVOCATION)
  expect(result?.binaryResultsForLlm).toEqual([
    { data: image.content, mimeType: 'image/png', type: 'image', description: 'dot.png' },
  ])
})

const INVOCATION: ToolInvocation = { sessionId: 's', toolCallId: 'c', toolName: 't', arguments: {} }

test.for([
  ['success', 'read_file', { path: 'a.txt' }, true],
  ['failure', 'read_file', { path: 'none.txt' }, true],
  ['rejected', 'write_file', OVERWRITE, false],
  ['denied', 'shell', { command: 'rm -rf /' }, true],
  ['timeout', 'hang', {}, true],
] as const)('S1.10 the Copilot SDK takes the tools, and a call ends as %s', async ([resultType, name, args, yes]) => {
  const host = await hostWithFile()
  const limited = {
    ...host,
    call: (tool: string, given: unknown, options: object) => host.call(tool, given, { ...options, timeout: 1 }),
  }
  const { tools } = toCopilot(name === 'hang' ? limited : host, { approver: approver(yes) })
  const found = tools.find((tool) => tool.name === name)
  if (!found) throw new Error(`no tool ${name}`)
  const { handler } = defineCopilotTool<unknown>(found.name, found)
  const result = (await handler?.(args, INVOCATION)) as ToolResultObject
  expect(result.resultType).toBe(resultType)
  expect(result.textResultForLlm).not.toBe('')
  expect(result.error === undefined).toBe(resultType === 'success')
})
