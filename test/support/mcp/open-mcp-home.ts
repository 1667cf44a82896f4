import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'smol-toml'
import { onTestFinished } from 'vitest'
import { type Approver, type Home, type Host, openHome, type Tool } from '../../../src/index.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const HOSTILE = join(import.meta.dirname, 'hostile-server.ts')

/** The settings of the server that misbehaves. */
export function hostileServer(habit = '', ...args: readonly string[]): { command: string; args: string[] } {
  return { command: process.execPath, args: [HOSTILE, habit, ...args] }
}

/** The program of a package that is installed for the tests. */
export function packagedServer(name: string): string {
  return join(import.meta.dirname, `../../../node_modules/@modelcontextprotocol/${name}/dist/index.js`)
}

/** Says yes to every approval request, and answers questions in order. */
export function agreeing(answers: string[] = []): Approver & { readonly questions: string[] } {
  const questions: string[] = []
  return {
    name: 'test',
    questions,
    ask: async () => ({ approved: true }),
    input: async ({ question }) => {
      questions.push(question)
      return answers.shift() ?? ''
    },
  }
}

export interface McpHome {
  readonly folder: string
  readonly workspace: string
  readonly home: Home
  readonly host: Host
}

interface McpHomeOptions {
  readonly approver?: Approver
  readonly folder?: string
  /** Tools of the program itself. */
  readonly tools?: readonly Tool[]
}

/** Opens a home with these MCP servers, and a workspace; both are closed when the test ends. */
export async function openMcpHome(
  servers: Readonly<Record<string, unknown>>,
  { approver = agreeing(), folder = temporaryFolder(), tools = [] }: McpHomeOptions = {},
): Promise<McpHome> {
  const workspace = join(folder, 'work')
  const path = join(folder, 'home')
  mkdirSync(workspace, { recursive: true })
  mkdirSync(path, { recursive: true, mode: 0o700 })
  writeFileSync(join(path, 'settings.toml'), stringify({ mcp: servers }))
  const home = await openHome({ home: path, approver, tools })
  onTestFinished(() => home.close())
  return { folder, workspace, home, host: await home.host(workspace) }
}
