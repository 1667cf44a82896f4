import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { type Definition, findDefinitions } from './definitions.ts'

/** How long a program may take to ask its model, in ms. */
const PATIENCE = 60_000

const BIN = join(import.meta.dirname, 'node_modules/.bin')
/** Programs that want to reach something else than the recording server find nobody there. */
const NOWHERE = 'http://127.0.0.1:9'

/** A program that offers its tools to a model, and how it is told to use the model at an address. */
export interface ToolProgram {
  readonly name: string
  readonly command: string
  args(address: string): readonly string[]
  env?(address: string): Readonly<Record<string, string>>
  /** Settings files below its home folder, by path. */
  files?(address: string): Readonly<Record<string, unknown>>
}

/** Runs a program once with an empty home against a server on this machine, and returns the tools of its first request that has any. Rejects if there is none. */
export async function recordTools(program: ToolProgram): Promise<readonly Definition[]> {
  const home = mkdtempSync(join(tmpdir(), 'haft-bench-words-'))
  const recorder = await startRecorder()
  try {
    const ended = runProgram(program, { home, address: recorder.address, recorded: recorder.tools })
    return await Promise.race([recorder.tools, ended])
  } finally {
    recorder.close()
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

interface Recorder {
  readonly address: string
  readonly tools: Promise<readonly Definition[]>
  close(): void
}

/** Starts a server that refuses every request and keeps the tools it names. */
async function startRecorder(): Promise<Recorder> {
  const { promise: tools, resolve } = Promise.withResolvers<readonly Definition[]>()
  const server = createServer(async (request, response) => {
    const found = findDefinitions(await readBody(request))
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end('{"error":{"message":"recorded","code":400,"status":"INVALID_ARGUMENT"}}')
    if (found.length > 0) resolve(found)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    tools,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const piece of request) text += piece
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface Run {
  readonly home: string
  readonly address: string
  /** Settles when the program need not run any longer. */
  readonly recorded: Promise<unknown>
}

/** Runs the program until it was recorded; rejects if it ends before that. */
function runProgram(program: ToolProgram, { home, address, recorded }: Run): Promise<never> {
  const { name, command, args, env, files } = program
  const workspace = join(home, 'workspace')
  mkdirSync(workspace)
  for (const [path, content] of Object.entries(files?.(address) ?? {})) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), JSON.stringify(content))
  }
  const proxies = { HTTP_PROXY: NOWHERE, HTTPS_PROXY: NOWHERE, http_proxy: NOWHERE, https_proxy: NOWHERE }
  const local = { NO_PROXY: '127.0.0.1,localhost', no_proxy: '127.0.0.1,localhost' }
  const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`
  const child = spawn(join(BIN, command), args(address), {
    cwd: workspace,
    env: { PATH: path, HOME: home, ...proxies, ...local, ...env?.(address) },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  let said = ''
  child.stderr.on('data', (piece) => {
    said = `${said}${piece}`.slice(-300)
  })
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended already.
    }
  }
  const timer = setTimeout(kill, PATIENCE)
  recorded.then(kill)
  return new Promise((_, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(timer)
      reject(new Error(`${name} ended with ${code} before it named its tools: ${said}`))
    })
  })
}
