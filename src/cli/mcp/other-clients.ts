import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { reasonOf } from '../../core/call/result.ts'
import { isRecord } from '../../core/text/json.ts'
import { type ClientName, type FoundServer, readEntry } from './read-entry.ts'

/** Where a program keeps its servers, the strongest first: in the workspace, then in the home folder. */
function filesOf(client: ClientName, workspace: string, home: string): readonly string[] {
  const apps = process.platform === 'darwin' ? join(home, 'Library/Application Support') : join(home, '.config')
  const files: Readonly<Record<ClientName, readonly string[]>> = {
    claude: [join(workspace, '.mcp.json'), join(home, '.claude.json'), join(apps, 'Claude/claude_desktop_config.json')],
    cursor: [join(workspace, '.cursor/mcp.json'), join(home, '.cursor/mcp.json')],
    vscode: [join(workspace, '.vscode/mcp.json'), join(apps, 'Code/User/mcp.json')],
    gemini: [join(workspace, '.gemini/settings.json'), join(home, '.gemini/settings.json')],
  }
  return files[client]
}

/** Reads the servers that another program is set up with. The first file that names a server counts. Throws where a file cannot be read. */
export async function findServers(
  client: ClientName,
  { workspace, home = homedir() }: { readonly workspace: string; readonly home?: string },
): Promise<{ readonly servers: readonly FoundServer[]; readonly files: readonly string[] }> {
  const files = filesOf(client, workspace, home)
  const found = new Map<string, FoundServer>()
  for (const file of files)
    for (const [given, value] of await readServers(file, workspace)) {
      const name = given.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 40)
      if (!found.has(name)) found.set(name, { name, file, ...readEntry(value, { client, workspace, home }) })
    }
  return { servers: [...found.values()], files }
}

/** Returns the entries of a file, none where it does not exist. Comments and commas at the end are fine. */
async function readServers(file: string, workspace: string): Promise<readonly [string, unknown][]> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR'))
      return []
    throw new Error(`${file} cannot be read: ${reasonOf(thrown)}`)
  }
  const { jsonrepair } = await import('jsonrepair')
  let content: unknown
  try {
    content = JSON.parse(jsonrepair(text))
  } catch (thrown) {
    throw new Error(`${file} is not JSON: ${reasonOf(thrown)}`)
  }
  if (!isRecord(content)) return []
  const project = isRecord(content.projects) ? content.projects[workspace] : undefined
  const tables = [isRecord(project) ? project.mcpServers : undefined, content.mcpServers, content.servers]
  return tables.flatMap((table) => (isRecord(table) ? Object.entries(table) : []))
}
