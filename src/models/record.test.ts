import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fails, startModelServer } from '../../test/support/model-server/model-server.ts'
import { askModel, openTestModel } from '../../test/support/model-server/open-test-model.ts'
import { ollamaReply } from '../../test/support/model-server/scripted-reply.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import type { ModelMessage, ModelRequest } from '../core/ports/model.ts'
import { recordModel } from './record.ts'
import { replayModel } from './replay.ts'

const TOOLS = [{ name: 'read_file', description: 'Read.', parameters: { type: 'object' } }]
const FIRST: Partial<ModelRequest> = { tools: TOOLS, messages: [{ role: 'user', content: 'Read a.md' }] }

/** The second request of a run; ids differ from run to run. */
function second(id: string, content: string): Partial<ModelRequest> {
  const messages: ModelMessage[] = [
    { role: 'user', content: 'Read a.md' },
    { role: 'assistant', content: '', calls: [{ call: id, name: 'read_file', arguments: { path: 'a.md' } }] },
    { role: 'tool', call: id, name: 'read_file', content },
  ]
  return { tools: TOOLS, messages }
}

async function recorded() {
  const call = { name: 'read_file', arguments: { path: 'a.md' } }
  const server = await startModelServer({
    chats: [
      ollamaReply({ reasoning: 'I must read.', calls: [call], usage: { input: 1, output: 2 } }),
      ollamaReply({ text: 'It says hello.' }),
      fails(404, '{"error":"model not found"}'),
    ],
    metadata: { '/api/show': { capabilities: ['tools'] } },
  })
  const file = join(temporaryFolder(), 'run.jsonl')
  const model = recordModel(openTestModel('ollama', server.url), file)
  const asked = [await askModel(model, FIRST), await askModel(model, second('1', 'hello there'))]
  await expect(askModel(model, FIRST)).rejects.toThrow(/model not found/)
  return { file, asked }
}

describe('recording and replaying', () => {
  test('gives the same parts and replies again, whatever the ids of the calls are', async () => {
    const { file, asked } = await recorded()
    const model = replayModel(file, `replay:${file}`)
    expect(await askModel(model, FIRST)).toEqual(asked[0])
    expect(await askModel(model, second('another id', 'hello there'))).toEqual(asked[1])
    await expect(askModel(model, FIRST)).rejects.toThrow(/model not found/)
    await expect(askModel(model, FIRST)).rejects.toThrow(/diverges at request 4: the recording has only 3/)
    expect(await model.abilities()).toMatchObject({ nativeCalls: true })
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test.each([
    [
      'another last message',
      second('1', 'hello you'),
      /request 2 \(line 3\): message 1 of the turn \(result of read_file\) is another: from character 7 on it was "there" and is "you"/,
    ],
    [
      'another kind of message',
      { ...second('1', ''), messages: [{ role: 'user' as const, content: 'stop' }] },
      /message 1 of the turn \(user\) is another: it was result of read_file "hello there"/,
    ],
    [
      'a missing message',
      { ...second('1', ''), messages: [] },
      /message 1 of the turn is missing: result of read_file/,
    ],
    [
      'other tools',
      { ...second('1', 'hello there'), tools: [{ name: 'shell', description: '', parameters: {} }] },
      /the tools are others: read_file is missing, shell is new/,
    ],
    [
      'a tool defined otherwise',
      {
        ...second('1', 'hello there'),
        tools: [{ ...TOOLS[0], name: 'read_file', description: 'Other.', parameters: {} }],
      },
      /read_file is defined otherwise/,
    ],
  ])('says where a replay diverges: %s', async (_, request, expected) => {
    const { file } = await recorded()
    const model = replayModel(file, 'replay')
    await askModel(model, FIRST)
    await expect(askModel(model, request)).rejects.toThrow(expected)
  })

  test('a file that is no recording is neither replayed nor replaced', async () => {
    const file = join(temporaryFolder(), 'notes.md')
    writeFileSync(file, '# Notes\n')
    expect(() => replayModel(file, 'replay')).toThrow(/is not a recording of a model/)
    const model = openTestModel('ollama', 'http://127.0.0.1:9')
    await expect(askModel(recordModel(model, file))).rejects.toThrow(/Choose another file/)
    expect(readFileSync(file, 'utf8')).toBe('# Notes\n')
    expect(() => replayModel(join(file, 'x'), 'replay')).toThrow(/cannot be read/)
  })

  test('a recording that was cut off says in which line', async () => {
    const { file } = await recorded()
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, -40))
    expect(() => replayModel(file, 'replay')).toThrow(/line 4 is not a recorded reply/)
  })
})
