// The process that runs the TypeScript and JavaScript tools of one folder. It is started by Haft, talks to it on descriptors of
// its own, and ends when Haft does.
import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { failure, messageOf } from '../../../core/call/result.ts'
import { MESSAGES_IN, ONCE, type OnceOrder, type ToProcess } from '../protocol.ts'
import { splitLines } from '../split-lines.ts'
import { cancelCall, currentCall, failCurrentCall, printForCall, runCall } from './calls.ts'
import { giveText, installHooks } from './hooks.ts'
import { loadFiles, type ToolTable } from './load-files.ts'
import { send } from './send.ts'

const table: ToolTable = new Map()

async function take(message: ToProcess): Promise<void> {
  if (message.type === 'call') await runCall(message, table)
  else if (message.type === 'cancel') cancelCall(message.id, message.reason)
  else {
    const { key, helpers } = message
    for (const one of [...helpers, ...message.files]) giveText(one)
    const files = await loadFiles(message.files, table)
    send({ type: 'loaded', key, files })
  }
}

function readMessages(): void {
  const input = new Socket({ fd: MESSAGES_IN, readable: true, writable: false })
  input.setEncoding('utf8')
  // Only Haft writes here.
  input.on(
    'data',
    splitLines((line) => void take(JSON.parse(line) as ToProcess)),
  )
  input.on('error', () => process.exit(0))
  input.on('close', () => process.exit(0))
  send({ type: 'ready' })
}

/** What a call prints is its output; what is printed otherwise goes where Haft looks after a crash. */
function forwardPrints(): void {
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream)
    const forward = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
      const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
      if (!printForCall(text)) return write(text)
      const done = rest.find((one) => typeof one === 'function')
      if (done) process.nextTick(done)
      return true
    }
    Object.defineProperty(stream, 'write', { value: forward, writable: true, configurable: true })
  }
}

/** An error that nobody caught ends its call; without a call it is written down, and the process goes on. */
function catchStrays(): void {
  const take = (kind: string) => (thrown: unknown) => {
    if (!failCurrentCall(thrown, kind)) process.stderr.write(`${kind}: ${messageOf(thrown)}\n`)
  }
  process.on('uncaughtException', take('an error that its tool did not catch'))
  process.on('unhandledRejection', take('a rejection that its tool did not handle'))
  process.on('exit', (code) => {
    const id = currentCall()
    send({ type: 'exit', ...(id !== undefined && { id }), code })
  })
}

/** Runs one call and ends. */
async function runOnce(path: string): Promise<void> {
  // Only Haft writes it.
  const { file, helpers, call }: OnceOrder = JSON.parse(readFileSync(path, 'utf8'))
  for (const one of [...helpers, file]) giveText(one)
  const [loaded] = await loadFiles([file], table)
  if (loaded?.isBroken) {
    const text = `${file.file} could not be loaded: ${loaded.problems.map(({ reason }) => reason).join('; ')}`
    send({ type: 'failed', id: call.id, failure: failure('EXECUTION_ERROR', text) })
  } else await runCall(call, table)
  process.exit(0)
}

const [zod = '', mode, path = ''] = process.argv.slice(2)
installHooks(zod)
forwardPrints()
catchStrays()
if (mode === ONCE) await runOnce(path)
else readMessages()
