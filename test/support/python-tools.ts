import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createHost, type Host, type HostOptions } from '../../src/index.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Files of a folder: name -> text. */
export type FileTexts = Readonly<Record<string, string>>

/** A host with a home of its own, whose tools folder can be written to. */
export interface PythonHost {
  readonly host: Host
  readonly home: string
  readonly tools: string
}

/** Writes files below a folder, which is made where it is missing. */
export function writeFiles(folder: string, files: FileTexts): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

/** Opens a host whose user has these tool files; it is closed when the test ends. */
export async function pythonHost(files: FileTexts, options: HostOptions = {}): Promise<PythonHost> {
  const home = options.home ?? temporaryFolder()
  const tools = join(home, 'tools')
  writeFiles(tools, files)
  const host = await createHost({ workspace: temporaryFolder(), storage: 'memory', ...options, home })
  onTestFinished(() => host.close())
  return { host, home, tools }
}

/** A tool file with functions as its author writes them; `tools` maps each name to what its spec has beside name and handler. */
export function toolFile(code: string, tools: Readonly<Record<string, object>>): string {
  const specs = Object.entries(tools).map(([name, more]) => {
    const spec = { name, description: `What ${name} does.`, parameters: FREE, ...more }
    return `dict(json.loads(${JSON.stringify(JSON.stringify(spec))}), handler=${name})`
  })
  return `import json\n${code}\nTOOL_SPECS = [${specs.join(', ')}]\n`
}

/** Any arguments. */
const FREE = { type: 'object', properties: {}, additionalProperties: true }
