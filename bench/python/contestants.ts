import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { programs } from '../../src/app/programs/programs.ts'
import type { ToolSource } from '../../src/core/ports/tool-source.ts'
import type { ToolContext } from '../../src/core/tool/context.ts'
import { findInterpreter } from '../../src/sources/python/find-interpreter.ts'
import { createPythonSource, type WatchFolder } from '../../src/sources/python/python-source.ts'
import { startAsUser } from '../../src/sources/python/start-as-user.ts'
import { importHaft } from '../lib/built-haft.ts'
import type { Contestant } from '../lib/contestant.ts'
import type { Caller } from '../lib/serve-orders.ts'
import { ARGUMENTS, toolName, writeToolFiles } from './tool-files.ts'

/** The baseline, the contestant that the gates speak of, and the same with all stages of the pipeline around it. */
export const BARE = 'bare JSON-lines worker (baseline)'
export const HAFT = 'haft, a Python tool executed'
const HAFT_CALL = 'haft, the complete call through the pipeline, memory store'

/** The interpreter that everybody uses: the binary itself. */
export function findPython(): Promise<string> {
  return findInterpreter({ python: programs.chosen('python3'), env: process.env, home: homedir() })
}

/** A folder with a folder of tools in it. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'haft-bench-'))
  writeToolFiles(join(folder, 'tools'))
  return folder
}

/** Removes such folders. */
export function removeFolders(...folders: readonly string[]): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}

/** The source of the tools in such a folder; with `watch` it follows changes. */
export function openSource(python: string, folder: string, watch?: WatchFolder): ToolSource {
  return createPythonSource({
    ...{ id: 'python', origin: 'user', hostFolder: join(import.meta.dirname, '../../python') },
    ...{ folders: [join(folder, 'tools')], workspace: folder, cacheFolder: join(folder, 'cache') },
    ...{ isSandboxed: false, importSeconds: 30, watch },
    launch: ({ argv, output }) => startAsUser({ argv: [python, ...argv], output }, { cwd: folder, env: process.env }),
  })
}

/** A started baseline. */
export interface Worker extends Caller {
  end(): void
}

/** Starts the baseline and resolves when it has imported the files. */
export async function startWorker(python: string, tools: string): Promise<Worker> {
  const { PYTHONDONTWRITEBYTECODE: _, ...env } = process.env
  const child = spawn(python, [join(import.meta.dirname, 'worker.py'), tools], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env,
  })
  const waiting = new Map<number, (answer: unknown) => void>()
  let count = 0
  let outgoing = ''
  const flush = () => {
    child.stdin.write(outgoing)
    outgoing = ''
  }
  const isReady = new Promise<void>((resolve) => {
    let rest = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const message = JSON.parse(line)
        if (message.ready) resolve()
        waiting.get(message.id)?.(message)
        waiting.delete(message.id)
      }
    })
  })
  await isReady
  return {
    end: () => void child.kill(),
    call: (index) =>
      new Promise((resolve) => {
        waiting.set(++count, resolve)
        if (outgoing === '') queueMicrotask(flush)
        outgoing += `${JSON.stringify({ id: count, name: toolName(index), arguments: ARGUMENTS })}\n`
      }),
  }
}

/** What is called in turn. All run in this process, since where the machine happens to place two processes costs more than what is compared. */
export const contestants: readonly Contestant<Caller>[] = [
  {
    name: BARE,
    async start() {
      const folder = makeFolder()
      const worker = await startWorker(await findPython(), join(folder, 'tools'))
      return {
        call: worker.call,
        end() {
          worker.end()
          removeFolders(folder)
        },
      }
    },
  },
  {
    name: HAFT,
    async start() {
      const folder = makeFolder()
      const source = openSource(await findPython(), folder)
      const { tools } = await source.load()
      const context = { workspace: folder, session: 's_bench', call: 'c_bench', delta: () => undefined }
      return {
        // A context of which a Python tool uses only this much.
        call: (index) =>
          tools[index % tools.length]?.tool.execute?.(ARGUMENTS, {
            ...context,
            signal: new AbortController().signal,
          } as unknown as ToolContext),
        async end() {
          await source.close?.()
          removeFolders(folder)
        },
      }
    },
  },
  {
    name: HAFT_CALL,
    async start() {
      const { createHost } = await importHaft()
      const folders = { home: makeFolder(), workspace: makeFolder() }
      const host = await createHost({ ...folders, storage: 'memory' })
      return {
        async call(index) {
          const result = await host.call(toolName(index), ARGUMENTS)
          if (!result.ok) throw new Error(result.text)
        },
        async end() {
          await host.close()
          removeFolders(folders.home, folders.workspace)
        },
      }
    },
  },
]
