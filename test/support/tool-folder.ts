import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { createHost, type Host, type HostOptions } from '../../src/index.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A host whose home has a tools folder with these files. */
export interface FolderHost {
  readonly host: Host
  readonly home: string
  readonly folder: string
  /** Writes a file into the tools folder. */
  write(name: string, text: string): void
  /** The names of the tools that came from folders. */
  names(): readonly string[]
  /** What was skipped: `name.ts:3: why`. */
  skipped(): readonly string[]
}

/** Opens a host with tool files; it is closed when the test ends. */
export async function folderHost(
  files: Readonly<Record<string, string>>,
  options: HostOptions = {},
): Promise<FolderHost> {
  const home = temporaryFolder()
  const folder = join(home, 'tools')
  mkdirSync(folder)
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  for (const [name, text] of Object.entries(files)) write(name, text)
  const host = await createHost({ workspace: temporaryFolder(), home, storage: 'memory', ...options })
  onTestFinished(() => host.close())
  return {
    host,
    home,
    folder,
    write,
    names: () => {
      const { tools } = host.registry.snapshot()
      return tools.filter(({ origin }) => origin !== 'built-in').map(({ tool }) => tool.name)
    },
    skipped: () => {
      const { skipped } = host.registry.snapshot()
      return skipped.map(({ source, line, reason }) => `${source.replace(`${folder}/`, '')}:${line ?? '-'}: ${reason}`)
    },
  }
}

/** What a value is expected to become within ten seconds. */
export function eventual<Value>(read: () => Value) {
  return expect.poll(read, { timeout: 10_000, interval: 20 })
}

/** Waits until a value is there; fails after ten seconds. */
export function becomes<Value>(read: () => Value, expected: Value): Promise<void> {
  return eventual(read).toEqual(expected)
}
