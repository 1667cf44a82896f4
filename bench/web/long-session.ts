import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '../../src/client/client.ts'
import type { EventBody } from '../../src/core/session/event.ts'
import { openSqliteStorage } from '../../src/store/sqlite/open-storage.ts'
import { builtFile } from '../lib/built-haft.ts'

/** How many events the long session has. */
export const EVENTS = 10_000

/** A server with one long session. */
export interface LongSession {
  readonly url: string
  readonly token: string
  readonly session: string
  stop(): Promise<void>
}

const SESSION = 's_long'

/** Serves the built program with a log that holds one session of ten thousand events. */
export async function serveLongSession(): Promise<LongSession> {
  const folder = mkdtempSync(join(tmpdir(), 'haft-bench-web-'))
  const [home, workspace] = [join(folder, 'home'), join(folder, 'workspace')]
  for (const one of [home, workspace]) mkdirSync(one, { recursive: true, mode: 0o700 })
  const storage = openSqliteStorage({ path: join(home, 'log.db') })
  for (const event of makeEvents(workspace)) storage.log.append(event)
  await storage.log.flush()
  storage.close()
  const args = [builtFile('main.js'), 'serve', '--json', '--port', '0', '--workspace', workspace]
  const child = spawn(process.execPath, args, {
    env: { ...process.env, HOME: folder, HAFT_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  const { url, link } = JSON.parse(String(line).split('\n')[0] ?? '{}')
  const { token } = await createClient({ url }).signIn({ code: String(link).split('#code=')[1] ?? '' })
  return {
    ...{ url, token, session: SESSION },
    async stop() {
      child.kill('SIGINT')
      await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The events of a session that reads, fails and explains, over and over. */
function* makeEvents(workspace: string): Generator<EventBody> {
  yield { type: 'session-start', session: SESSION, workspace, model: 'demo', mode: 'ask' }
  yield { type: 'session-changed', session: SESSION, title: 'A long session' }
  let count = 2
  for (let turn = 0; count < EVENTS; turn++) for (const event of makeTurn(turn)) if (count++ < EVENTS) yield event
}

function* makeTurn(turn: number): Generator<EventBody> {
  const session = SESSION
  yield { type: 'message', session, role: 'user', content: `Step ${turn}: look at module ${turn % 17} again.` }
  yield { type: 'run-start', session, model: 'demo', mode: 'ask' }
  const text = `I will read \`src/module-${turn % 17}.ts\`.\n\n- it is imported in ${turn % 9} places\n- its tests pass`
  yield { type: 'message', session, role: 'assistant', content: text }
  for (let step = 0; step < 4; step++) {
    const call = `c_${turn}_${step}`
    const name = step === 3 ? 'shell' : 'read_file'
    yield { type: 'call-start', session, call, name, arguments: { path: `src/module-${turn % 17}/part-${step}.ts` } }
    yield { type: 'call-judged', session, call, decision: 'allow', rule: 'reading', reason: 'it only reads', trace: [] }
    yield { type: 'call-run', session, call, clearedBy: 'rules' }
    const lines = Array.from({ length: 20 }, (_, line) => `line ${line} of the output of step ${step}`).join('\n')
    const result =
      turn % 5 === 4 && step === 2
        ? ({ ok: false, code: 'FILE_NOT_FOUND', text: 'There is no such file.' } as const)
        : ({ ok: true, text: lines, data: null } as const)
    yield { type: 'call-end', session, call, result, duration: 3 + step }
  }
  yield { type: 'run-end', session, reason: 'reply', steps: 2 }
}
