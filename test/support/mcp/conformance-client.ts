// The client that `@modelcontextprotocol/conformance` starts, once for each scenario, with the address of a server as its argument: Haft as a program would use it.
import { mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { stringify } from 'smol-toml'
import { isRecord } from '../../../src/core/text/json.ts'
import type * as Haft from '../../../src/index.ts'

/** How many clients run at once. The referee starts all scenarios together, and where twenty share two processors some answer too late. */
const AT_ONCE = 3

/** Waits for one of the turns that clients share in a folder; it is given back at the end. */
async function takeTurn(folder: string): Promise<void> {
  for (let at = 0; ; at = (at + 1) % AT_ONCE) {
    const turn = join(folder, `turn-${at}`)
    try {
      mkdirSync(turn)
      process.once('exit', () => rmdirSync(turn))
      return
    } catch {
      await pause(at === AT_ONCE - 1 ? 50 : 0)
    }
  }
}

await takeTurn(process.env.HAFT_TURNS ?? mkdtempSync(join(tmpdir(), 'haft-')))

// The built package starts five times as fast as the sources, and the referee starts twenty at once.
const { openHome }: typeof Haft = await import(pathToFileURL(join(import.meta.dirname, '../../../dist/index.js')).href)

const url = process.argv[2] ?? ''
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''
const context: unknown = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}')

/** The servers of these scenarios speak the newer protocol, but do not answer the question which protocol they speak. It is answered here; all else reaches them. */
const WITHOUT_DISCOVERY = [
  'sep-2322-client-request-state',
  'http-standard-headers',
  'http-custom-headers',
  'http-invalid-tool-headers',
]

if (WITHOUT_DISCOVERY.includes(scenario)) {
  const { fetch } = globalThis
  globalThis.fetch = async (target, init) => {
    const message: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
    if (!isRecord(message) || message.method !== 'server/discover') return fetch(target, init)
    const about = { 'io.modelcontextprotocol/serverInfo': { name: 'referee', version: '1' } }
    const result = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, _meta: about }
    return Response.json({ jsonrpc: '2.0', id: message.id, result })
  }
}

/** The calls that a scenario wants; by default one of every tool. */
function* callsOf(host: Haft.Host): Iterable<readonly [name: string, args: unknown]> {
  const given = isRecord(context) ? context.toolCalls : undefined
  if (Array.isArray(given)) for (const call of given) yield [`it:${call.name}`, call.arguments]
  else
    for (const { tool, parameters } of host.registry.snapshot().tools)
      if (tool.name.startsWith('it:')) yield [tool.name, argumentsFor(tool.name, parameters, host)]
}

/** Arguments that the tools of the scenarios take. */
function argumentsFor(name: string, { properties }: Record<string, unknown>, host: Haft.Host): unknown {
  if (name === 'it:json_schema_echo')
    return { schema: host.registry.snapshot().find('it:json_schema_2020_12_tool')?.parameters }
  const given: Record<string, unknown> = {}
  for (const [key, schema] of Object.entries(isRecord(properties) ? properties : {}))
    if (isRecord(schema)) given[key] = VALUES[String(schema.type)]
  return given
}

const VALUES: Readonly<Record<string, unknown>> = { number: 3, integer: 3, string: 'x', boolean: true }

const folder = mkdtempSync(join(tmpdir(), 'haft-'))
try {
  const registered = isRecord(context) && typeof context.client_id === 'string' ? context : undefined
  const oauth = registered && { client_id: registered.client_id, client_secret: registered.client_secret }
  const haftHome = join(folder, 'home')
  mkdirSync(haftHome, { mode: 0o700 })
  writeFileSync(join(haftHome, 'settings.toml'), stringify({ mcp: { it: { url, ...(oauth && { oauth }) } } }))
  const approver = { name: 'person', ask: async () => ({ approved: true }), input: async () => '' }
  const home = await openHome({ home: haftHome, approver })
  const show = (page: URL) => void fetch(page).catch((thrown) => process.stderr.write(`${thrown}\n`))
  const tryServer = () => home.mcp.test('it', { show })
  try {
    // A server may want a new sign-in at any time; the person does what the message says.
    await tryServer().catch(tryServer)
    const workspace = join(folder, 'work')
    mkdirSync(workspace)
    const host = await home.host(workspace)
    await host.refreshTools()
    for (const [name, args] of callsOf(host)) {
      let result = await host.call(name, args)
      if (!result.ok && result.text.includes('Run: haft mcp test')) {
        await tryServer()
        result = await host.call(name, args)
      }
      process.stdout.write(`${name} ${JSON.stringify(result)}\n`)
    }
  } finally {
    await home.close()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
