import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readdir, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import type { Files } from '../../src/core/ports/files.ts'
import { type DataSet, NEEDLE } from './data-set.ts'
import type { FileServer } from './file-server.ts'

/** One gate's race: who takes part, who is the measure, and how often a round repeats it. */
export interface Operation {
  readonly number: string
  readonly what: string
  readonly baseline: string
  readonly limit: number
  readonly reach: number
  readonly times: number
  readonly contestants: Readonly<Record<string, () => unknown>>
}

export const HAFT = 'haft, files door'
const MCP = 'MCP server-filesystem'
const { signal } = new AbortController()

/** Every race; those whose measure is the peer are left out without it. */
export function operationsOf(data: DataSet, files: Files, server: FileServer | undefined): readonly Operation[] {
  return [...small(data, files, server), ...large(data, files)]
}

function small(data: DataSet, files: Files, server: FileServer | undefined): Operation[] {
  const folder = join(data.root, data.folder)
  const [kilobyte, megabyte, out] = [data.kilobyte, data.megabyte, join(data.root, 'out')].map((path) =>
    join(data.root, path.replace(`${data.root}/`, '')),
  )
  const body = 'x'.repeat(1_024)
  let turn = 0
  const peer = (name: string, args: object) => (server ? { [MCP]: () => server.call(name, args) } : {})
  const gates: Operation[] = [
    {
      number: '4a',
      what: 'list 25 entries with size and time',
      baseline: MCP,
      limit: 0.2,
      reach: 0.1,
      times: 100,
      contestants: {
        [HAFT]: () => files.list(data.folder, { hidden: false, limit: 1_000 }),
        'node readdir and stat': async () => {
          for (const name of await readdir(folder)) await stat(join(folder, name))
        },
        ...peer('list_directory_with_sizes', { path: folder }),
      },
    },
    {
      number: '4b',
      what: 'read 1 KB',
      baseline: MCP,
      limit: 0.2,
      reach: 0.05,
      times: 200,
      contestants: {
        [HAFT]: () => files.readText(data.kilobyte, 1 << 20),
        'node readFileSync': () => readFileSync(kilobyte ?? '', 'utf8'),
        ...peer('read_text_file', { path: kilobyte }),
      },
    },
    {
      number: '4c',
      what: 'read 1 MB',
      baseline: 'node readFileSync',
      limit: 1.5,
      reach: 1.2,
      times: 20,
      contestants: {
        [HAFT]: () => files.readText(data.megabyte, 1 << 20),
        'node readFileSync': () => readFileSync(megabyte ?? '', 'utf8'),
        ...peer('read_text_file', { path: megabyte }),
      },
    },
    {
      number: '4d',
      what: 'write 1 KB whole or not at all',
      baseline: 'node temp and rename',
      limit: 1.3,
      reach: 1,
      times: 100,
      contestants: {
        [HAFT]: () => files.write('out/haft.txt', Buffer.from(body)),
        'node temp and rename': async () => {
          const temporary = join(out ?? '', `t${turn++ % 8}`)
          await writeFile(temporary, body)
          await rename(temporary, join(out ?? '', 'node.txt'))
        },
        ...peer('write_file', { path: join(out ?? '', 'mcp.txt'), content: body }),
      },
    },
  ]
  return gates.filter(({ baseline }) => baseline !== MCP || server !== undefined)
}

function large(data: DataSet, files: Files): Operation[] {
  const search = (path: string) => files.search({ pattern: NEEDLE, path, limit: 1_000, signal }, () => undefined)
  const rg = (...args: string[]) => run(rgPath, [...args, '-uu'])
  const gates: Operation[] = [
    {
      number: '4e',
      what: 'walk 52,000 entries by name',
      baseline: 'C getdents64 walk',
      limit: 2,
      reach: 1.3,
      times: 1,
      contestants: {
        [HAFT]: () => files.walk('tree', { hidden: true, glob: 'no-such-name', limit: 1 }),
        ...(data.floor && { 'C getdents64 walk': () => run(data.floor ?? '', [data.tree]) }),
        'rg --files': () => rg('--files', data.tree),
      },
    },
    {
      number: '4f',
      what: 'find files by glob in 52,000',
      baseline: 'rg --files -g',
      limit: 1.6,
      reach: 0.15,
      times: 1,
      contestants: {
        [HAFT]: () => files.walk('tree', { hidden: true, ignore: true, glob: '*_0123*', limit: 1_000 }),
        'rg --files -g': () => rg('--files', '-g', '*_0123*', data.tree),
      },
    },
    {
      number: '4g',
      what: 'search text in 50,000 files',
      baseline: 'rg -F',
      limit: 1.15,
      reach: 0.3,
      times: 1,
      contestants: { [HAFT]: () => search('tree'), 'rg -F': () => rg('-F', NEEDLE, data.tree) },
    },
    {
      number: '4h',
      what: 'search text in one file of 200 MB',
      baseline: 'rg -F',
      limit: 1.2,
      reach: 1.05,
      times: 1,
      contestants: { [HAFT]: () => search('big.txt'), 'rg -F': () => rg('-F', NEEDLE, data.big) },
    },
  ]
  return gates.filter(({ baseline, contestants }) => baseline in contestants)
}

function run(command: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    child.stdout.resume()
    child.on('error', reject)
    child.on('close', (status) => (status === 0 ? resolve() : reject(new Error(`${command} ended with ${status}`))))
  })
}
