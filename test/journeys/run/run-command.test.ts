import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { buildProgram, type Ended, haft } from '../../support/built-program.ts'
import { freePort } from '../../support/model-server/free-port.ts'
import { dies, sends } from '../../support/model-server/model-server.ts'
import { openAiReply } from '../../support/model-server/scripted-reply.ts'
import { eventually } from '../../support/processes.ts'
import { eventsOf, setUpRun, type Wire } from '../../support/run-command.ts'

const call = (name: string, given: object, id = 'call_1') => ({ id, name, arguments: given })
const WIRES: readonly Wire[] = ['openai', 'ollama']

describe.for(WIRES)('haft run with a model that speaks %s', (wire) => {
  test('S3.1 runs the calls, sends results back and ends with the reply; stdout has the answer alone', async () => {
    const { program, server, run } = await setUpRun(wire, [
      { text: 'I will read it.', calls: [call('read_file', { path: 'a.txt' })] },
      { text: 'It says milk.', usage: { input: 100, output: 20 } },
    ])
    writeFileSync(join(program.workspace, 'a.txt'), 'milk\n')
    const ended = await run(['what does', 'a.txt say?'])
    expect(ended).toMatchObject({ code: 0, stdout: 'It says milk.\n' })
    expect(ended.stderr).toMatch(
      /^ {2}I will read it\.\n✓ read_file a\.txt {2}1 line {2}.*\n✓ Answered · .* 2 steps · 1 call · /,
    )
    expect(JSON.stringify(server.chats()[1]?.body)).toContain('milk')
    expect(JSON.stringify(server.chats()[0]?.body)).toContain('what does a.txt say?')
  })

  test('S3.4 task_complete ends the run with its summary, and calls after it are not run', async () => {
    const { program, server, run } = await setUpRun(wire, [
      {
        calls: [
          call('write_file', { path: 'a.txt', content: 'x' }, 'call_1'),
          call('task_complete', { summary: 'Wrote a.txt.' }, 'call_2'),
          call('write_file', { path: 'b.txt', content: 'x' }, 'call_3'),
        ],
      },
    ])
    const ended = await run(['write it'])
    expect(ended).toMatchObject({ code: 0, stdout: 'Wrote a.txt.\n' })
    expect(existsSync(join(program.workspace, 'a.txt'))).toBe(true)
    expect(existsSync(join(program.workspace, 'b.txt'))).toBe(false)
    expect(server.chats()).toHaveLength(1)
    const why = await haft(program, ['why', 'write_file'])
    expect(why.stdout).toMatch(/not-run {2}The call came after task_complete/)
  })

  test('S4.7 at the step limit it ends with exit code 4, says so, and sends nothing more', async () => {
    const { program, server, run } = await setUpRun(wire, [
      { calls: [call('write_file', { path: 'a.txt', content: 'x' })] },
      { calls: [call('read_file', { path: 'a.txt' })] },
    ])
    const ended = await run(['go', '--max-steps', '2'])
    expect(ended).toMatchObject({ code: 4, stdout: '' })
    expect(ended.stderr).toMatch(/cut off after 2 steps; the task may not be finished[\s\S]*haft run --continue s_/)
    expect(server.chats()).toHaveLength(2)
    expect((await haft(program, ['why', 'read_file'])).stdout).toContain('step-limit')
  })

  test('a model that repeats itself is warned once and then stopped, with exit code 4', async () => {
    const { run } = await setUpRun(wire, [{ calls: [call('list_directory', { path: '.' })] }])
    const ended = await run(['go'])
    expect(ended.code).toBe(4)
    expect(ended.stderr).toMatch(
      /Haft told the model: You have made the same calls[\s\S]*! The model repeated the same calls/,
    )
  })

  test('malformed calls are repaired and marked; one that cannot be is told to the model', async () => {
    const given = `{"path": "a.txt", "content": "x",}`
    const delta = { tool_calls: [{ index: 0, id: 'c', function: { name: 'write_file', arguments: given } }] }
    const printed = `{"name": "write_file", "arguments": ${given}}`
    const malformed =
      wire === 'openai'
        ? `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: 'tool_calls' }] })}\n\ndata: [DONE]\n\n`
        : `${JSON.stringify({ message: { role: 'assistant', content: printed }, done: true })}\n`
    const { program, server, run } = await setUpRun(wire, [
      sends(malformed),
      { calls: [call('write_file', { content: 'no path' })] },
      { text: 'Done.' },
    ])
    const ended = await run(['write it'])
    expect(ended).toMatchObject({ code: 0, stdout: 'Done.\n' })
    expect(readFileSync(join(program.workspace, 'a.txt'), 'utf8')).toBe('x')
    expect(ended.stderr).toMatch(wire === 'openai' ? /✓ write_file .*\[repaired\]/ : /Read a call printed as text/)
    expect(JSON.stringify(server.chats()[2]?.body)).toMatch(/INVALID_ARGUMENTS: .*path: missing/)
  })

  test('a tool that was not selected is neither offered nor run, whatever the model says', async () => {
    const { program, server, run } = await setUpRun(wire, [
      { calls: [call('write_file', { path: 'a.txt', content: 'x' })] },
      { text: 'I cannot.' },
    ])
    const ended = await run(['go', '--tools', 'read_file'])
    expect(ended.stderr).toMatch(/✗ write_file .*UNKNOWN_TOOL/)
    expect(existsSync(join(program.workspace, 'a.txt'))).toBe(false)
    expect(JSON.stringify(server.chats()[0]?.body)).not.toContain('"write_file"')
    expect((await haft(program, ['why', 'write_file'])).stdout).toMatch(/not-selected .*are read_file/)
  })

  test('--only offers exactly the named tools: not even the control tools beside them can be called, nor after --continue', async () => {
    const { program, server, run } = await setUpRun(wire, [
      { calls: [call('ask_user', { question: 'Which?' })] },
      { text: 'I cannot ask.' },
    ])
    const offered = () => JSON.stringify(server.chats().at(-1)?.body).match(/"name":"[a-z_]+","description"/g)?.length
    const ended = await run(['go', '--tools', 'read_file', '--only'])
    expect(ended.stderr).toMatch(/ask_user .*UNKNOWN_TOOL/)
    expect(offered()).toBe(1)
    await run(['go on', '--continue'])
    expect(offered()).toBe(1)
    expect((await haft(program, ['why', 'ask_user'])).stdout).toMatch(/not-selected .*are read_file\. Start/)
    await run(['go', '--tools', 'read_file'])
    expect(offered()).toBeGreaterThan(5)
    expect((await haft(program, ['why', 'write_file'])).stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /began with are read_file\..* Control tools come with every selection .*: .*ask_user/,
    )
    expect((await run(['go', '--only'])).code).toBe(2)
  })

  test('with nobody to ask a call is denied; a run that answered is 0 all the same, and 3 with --strict', async () => {
    const edit = { calls: [call('edit_file', { path: 'a.txt', edits: [{ old: 'milk', new: 'tea' }] })] }
    const answer = { text: 'I was not allowed to.' }
    const { program, run } = await setUpRun(wire, [edit, answer, edit, answer])
    writeFileSync(join(program.workspace, 'a.txt'), 'milk\n')
    expect(await run(['change it', '--strict'])).toMatchObject({ code: 3, stdout: 'I was not allowed to.\n' })
    const denied = await run(['change it'])
    expect(denied).toMatchObject({ code: 0, stdout: 'I was not allowed to.\n' })
    expect(denied.stderr).toMatch(/⊘ edit_file a\.txt {2}DENIED/)
    expect((await haft(program, ['why', 'edit_file'])).stdout).toMatch(/denied .*nobody could be asked/)
  })

  test('--yes approves, and the log says that it did', async () => {
    const { program, run } = await setUpRun(wire, [
      { calls: [call('edit_file', { path: 'a.txt', edits: [{ old: 'milk', new: 'tea' }] })] },
      { text: 'Done.' },
    ])
    writeFileSync(join(program.workspace, 'a.txt'), 'milk\n')
    const ended = await run(['change it', '--yes'])
    expect(ended.code).toBe(0)
    expect(ended.stderr).toMatch(/✓ edit_file a\.txt {2}\+1 -1 .*\n {4}@@.*\n {4}-milk\n {4}\+tea\n/)
    expect(readFileSync(join(program.workspace, 'a.txt'), 'utf8')).toBe('tea\n')
    expect((await haft(program, ['log', '--tool', 'edit_file'])).stdout).toContain('--yes')
  })

  test('a server that dies in mid-stream fails the run with exit code 1; --continue goes on', async () => {
    const half =
      wire === 'openai'
        ? 'data: {"choices":[{"index":0,"delta":{"content":"Hal"}}]}\n\n'
        : '{"message":{"role":"assistant","content":"Hal"},"done":false}\n'
    const { run } = await setUpRun(wire, [dies(half), { text: 'Here I am again.' }])
    const failed = await run(['hello'])
    expect(failed).toMatchObject({ code: 1, stdout: '' })
    expect(failed.stderr).toMatch(/✗ .+\n✗ Failed · [\s\S]*haft run --continue s_/)
    expect(await run(['--continue', 'hello again'])).toMatchObject({ code: 0, stdout: 'Here I am again.\n' })
  })

  test('--json prints the events of the session and nothing else', async () => {
    const { program, run } = await setUpRun(wire, [
      { text: 'Look.', calls: [call('list_directory', { path: '.' })] },
      { text: 'Empty.' },
    ])
    const ended = await run(['look', '--json'])
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    const events = eventsOf(ended)
    expect(events[0]).toMatchObject({ type: 'session-start', model: `${wire}:test` })
    expect(events.at(-1)).toMatchObject({ type: 'run-end', reason: 'reply', steps: 2 })
    const exported = await haft(program, ['export', String(events[0]?.session), '--format', 'json'])
    const kept = events.filter(({ type }) => !type.endsWith('-delta'))
    const logged = JSON.parse(exported.stdout).events.filter(({ type }: { type: string }) => !type.endsWith('-delta'))
    expect(logged.map(({ cursor: _, ...event }: { cursor: number }) => event)).toEqual(kept)
  })

  test('kill -9 in the middle of a reply loses nothing but the reply: --continue sends what came before', async () => {
    const killer = Promise.withResolvers<(signal: NodeJS.Signals) => void>()
    const { program, server, run } = await setUpRun(wire, [
      { calls: [call('write_file', { path: 'a.txt', content: 'x' })] },
      async (response) => {
        response.writeHead(200).write('\n')
        ;(await killer.promise)('SIGKILL')
      },
      { text: 'Here.' },
    ])
    const killed = await run(['write it'], { onStderr: (_, kill) => killer.resolve(kill) })
    expect(killed.code).toBeNull()
    const ended = await run(['--continue', 'are you there?'])
    expect(ended).toMatchObject({ code: 0, stdout: 'Here.\n' })
    const sent = JSON.stringify(server.chats().at(-1)?.body)
    for (const part of ['write it', 'Wrote 1 bytes', 'are you there?']) expect(sent).toContain(part)
    expect(existsSync(join(program.workspace, 'a.txt'))).toBe(true)
  })
})

test('Ctrl-C stops the run, keeps the session, says how to go on, and exits with 130', async () => {
  const killer = Promise.withResolvers<(signal: NodeJS.Signals) => void>()
  const { server, run } = await setUpRun('openai', [
    { text: 'First I write.', calls: [call('write_file', { path: 'a.txt', content: 'x' })] },
    async (response) => {
      response.writeHead(200).write('data: {"choices":[{"index":0,"delta":{"content":"Hal"}}]}\n\n')
      ;(await killer.promise)('SIGINT')
    },
    { text: 'On we go.' },
  ])
  const stopped = await run(['go'], { onStderr: (_, kill) => killer.resolve(kill) })
  expect(stopped.code).toBe(130)
  const [, session = ''] = /haft run --continue (s_\w+)/.exec(stopped.stderr) ?? []
  expect(await run(['--continue', session, 'go on'])).toMatchObject({ code: 0, stdout: 'On we go.\n' })
  expect(JSON.stringify(server.chats().at(-1)?.body)).toContain('First I write.')
})

test('a second process that sends to a running session shows the run of the first one', async () => {
  const released = Promise.withResolvers<void>()
  const { program, run } = await setUpRun('openai', [
    async (response, request) => {
      await released.promise
      await openAiReply({ text: 'Here.' })(response, request)
    },
    { text: 'And there.' },
  ])
  const messages = async () => {
    const { sessions } = JSON.parse((await haft(program, ['sessions', '--json'])).stdout)
    if (sessions.length === 0) return []
    return JSON.parse((await haft(program, ['log', sessions[0].session, '--json'])).stdout).messages
  }
  const first = run(['one'])
  await eventually(async () => (await messages()).length === 1)
  const second = run(['--continue', 'two', '--json'])
  await eventually(async () => (await messages()).length === 2)
  released.resolve()
  const [ran, joined] = await Promise.all([first, second])
  expect(ran).toMatchObject({ code: 0, stdout: 'And there.\n' })
  expect(joined.code).toBe(0)
  const seen = eventsOf(joined)
  expect(seen[0]).toMatchObject({ type: 'message', role: 'user', content: 'two' })
  expect(seen).toContainEqual(expect.objectContaining({ type: 'message', content: 'Here.' }))
  expect(seen.at(-1)).toMatchObject({ type: 'run-end' })
  expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length)
})

test('a second Ctrl-C ends the process at once, and the session can go on', async () => {
  const { run } = await setUpRun('openai', [
    { calls: [call('shell', { command: "trap '' INT TERM; echo at work; sleep 100" })] },
    { text: 'On we go.' },
  ])
  let signals = 0
  const ended = await run(['go', '--yes'], {
    onLogged(text, kill) {
      if (!text.includes('at work') || signals > 0) return
      signals = 2
      kill('SIGINT')
      kill('SIGINT')
    },
  })
  expect(ended.code).toBe(130)
  expect(await run(['--continue', 'go on'])).toMatchObject({ code: 0, stdout: 'On we go.\n' })
})

test('control characters of a model are shown, never sent to the terminal or the pipe', async () => {
  const { run } = await setUpRun('openai', [{ text: 'red \u001b[31mtext\u202e' }])
  const ended = await run(['go'])
  expect(ended.stdout).toBe('red \\u{1b}[31mtext\\u{202e}\n')
})

test('piped text is appended and attaches nothing, @file is attached, and --quiet prints the answer alone', async () => {
  const { program, server, run } = await setUpRun('openai', [{ text: 'Fine.' }])
  writeFileSync(join(program.workspace, 'notes.md'), 'buy milk')
  writeFileSync(join(program.workspace, 'secret.md'), 'plugh-42')
  const ended = await run(['review', '@notes.md', '--quiet'], { input: 'a diff of @secret.md\n' })
  expect(ended).toEqual({ code: 0, stdout: 'Fine.\n', stderr: '' })
  const sent = JSON.stringify(server.chats()[0]?.body)
  expect(sent).toContain('review @notes.md\\n\\na diff of @secret.md')
  expect(sent).toContain('buy milk')
  expect(sent).not.toContain('plugh-42')
})

test('--record keeps the replies, and replay:FILE gives them again', async () => {
  const { program, server, run } = await setUpRun('openai', [{ text: 'Recorded.' }])
  await run(['hello', '--record', 'tape.jsonl'])
  const again = await haft(program, ['run', 'hello', '--model', 'replay:tape.jsonl'])
  expect(again).toMatchObject({ code: 0, stdout: 'Recorded.\n' })
  expect(server.chats()).toHaveLength(1)
})

test('without a model it works with demo and says so', async () => {
  const program = buildProgram()
  writeFileSync(join(program.workspace, 'README.md'), '# Hi\n')
  const env = { OLLAMA_HOST: `127.0.0.1:${await freePort()}` }
  const ended = await haft(program, ['run', 'read README.md'], { env })
  expect(ended.code).toBe(0)
  expect(ended.stderr).toMatch(/^Using demo, since no model was found/)
  expect(ended.stderr).toContain('✓ read_file README.md  1 line')
})

test('the first prompt of the README works without a model', async () => {
  const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8')
  const [, prompt = ''] = /haft run "([^"]+)"/.exec(readme) ?? []
  const program = buildProgram()
  writeFileSync(join(program.workspace, 'README.md'), readme)
  const ended = await haft(program, ['run', prompt, '--model', 'demo'])
  expect(ended.code).toBe(0)
  expect(ended.stderr).toMatch(/✓ list_directory[\s\S]*✓ read_file README\.md[\s\S]*✓ Done · .* 3 steps · 2 calls/)
})

test('tokens and cost are shown where the settings name a price', async () => {
  const { program, server } = await setUpRun('openai', [{ text: 'Hello.', usage: { input: 2_000, output: 1_000 } }])
  mkdirSync(program.home, { mode: 0o700 })
  const table = `[models.work]\nprovider = "openai"\nmodel = "m"\nbase_url = "${server.url}/v1"\nprice = { input = 0.5, output = 2 }\n`
  writeFileSync(join(program.home, 'settings.toml'), table)
  const ended = await haft(program, ['run', 'hello', '--model', 'work'])
  expect(ended.stderr).toContain('1 step · 3,000 tokens · cost 0.0030')
})

test('--print-prompt prints the system prompt, sends nothing and leaves no session', async () => {
  const { program, server, run } = await setUpRun('openai', [{ text: 'no' }])
  writeFileSync(join(program.workspace, 'AGENTS.md'), 'Use tabs.')
  const ended = await run(['--print-prompt'])
  expect(ended.code).toBe(0)
  expect(ended.stdout).toMatch(/^You work in the folder [\s\S]*Use tabs\./)
  expect(server.requests).toEqual([])
  expect(JSON.parse((await haft(program, ['sessions', '--json'])).stdout).sessions).toEqual([])
})

test.for([
  [['run'], /missing argument 'prompt'/],
  [['run', 'x', '--max-steps', '0'], /--max-steps 0: expected a whole number/],
  [['run', 'x', '--continue', 's_1', '--tools', 'shell'], /a session keeps the tools/],
] as const)('%j is wrong usage: exit code 2', async ([args, message]) => {
  const ended = await haft(buildProgram(), [...args])
  expect(ended.code).toBe(2)
  expect(ended.stderr).toMatch(message)
})

test('with --wait a request is answered from another process, and the run goes on', async () => {
  const { program, run } = await setUpRun('openai', [
    { calls: [call('edit_file', { path: 'a.txt', edits: [{ old: 'milk', new: 'tea' }] })] },
    { text: 'Changed.' },
  ])
  writeFileSync(join(program.workspace, 'a.txt'), 'milk\n')
  let answering: Promise<Ended> | undefined
  const ended = await run(['change it', '--wait'], {
    onStderr(text) {
      const [, approval] = /haft approvals (\S+) yes/.exec(text) ?? []
      if (approval !== undefined) answering ??= haft(program, ['approvals', approval, 'yes'])
    },
  })
  expect((await answering)?.code).toBe(0)
  expect(ended).toMatchObject({ code: 0, stdout: 'Changed.\n' })
  expect(readFileSync(join(program.workspace, 'a.txt'), 'utf8')).toBe('tea\n')
})

test('a session, a tool or a model that is not there fails with exit code 1 and says which', async () => {
  const program = buildProgram()
  const failed = async (...args: string[]) => {
    const { code, stderr } = await haft(program, ['run', 'x', ...args])
    expect(code).toBe(1)
    return stderr
  }
  expect(await failed('--continue', 's_nope')).toContain('There is no session "s_nope"')
  expect(await failed('--continue')).toContain('There is no session to continue in')
  expect(await failed('--model', 'demo', '--tools', 'nope')).toContain('nope')
  expect(await failed('--model', 'nope')).toContain('nope')
})
