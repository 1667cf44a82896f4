import { createHash } from 'node:crypto'
import { describeTool, describeTools } from '../../core/tool/describe-tool.ts'
import type { Snapshot } from '../../core/tool/snapshot.ts'
import { type Handlers, orExplain, SENT, withHost } from '../context.ts'
import { HttpError } from '../request/http-error.ts'
import { send } from '../request/send.ts'
import { withSession } from './sessions.ts'

/** The bytes of a list of tools, made once for each snapshot, and their ETag. */
interface KeptList {
  readonly bytes: Buffer
  readonly headers: Readonly<Record<string, string>>
}

const kept = new WeakMap<Snapshot, KeptList>()

function keptList(snapshot: Snapshot): KeptList {
  let list = kept.get(snapshot)
  if (list === undefined) {
    const bytes = Buffer.from(JSON.stringify(describeTools(snapshot)))
    const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
    list = {
      bytes,
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Cache-Control': 'private, no-cache',
        ETag: `"${tag}"`,
      },
    }
    kept.set(snapshot, list)
  }
  return list
}

/** True if the reader has the list already. */
function isKnown(header: string | undefined, { headers }: KeptList): boolean {
  return (header ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === headers.ETag)
}

function unknownTool(snapshot: Snapshot, name: string): HttpError {
  const near = snapshot.nearest(name)
  const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''
  return new HttpError('UNKNOWN_TOOL', `There is no tool ${JSON.stringify(name)}.${hint}`)
}

export const toolHandlers: Handlers<'listTools' | 'getTool' | 'refreshTools' | 'checkTool' | 'explainTool'> = {
  listTools: ({ workspace }, request) =>
    withHost<typeof SENT>(request, workspace, async ({ registry }) => {
      const list = keptList(registry.snapshot())
      const isSame = isKnown(request.incoming.headers['if-none-match'], list)
      send(
        request.outgoing,
        isSame ? { status: 304, headers: list.headers } : { status: 200, headers: list.headers, body: list.bytes },
      )
      return SENT
    }),
  getTool: ({ name, workspace }, request) =>
    withHost(request, workspace, async ({ registry }) => {
      const snapshot = registry.snapshot()
      const entry = snapshot.find(name)
      if (entry === undefined) throw unknownTool(snapshot, name)
      return describeTool(entry)
    }),
  refreshTools: ({ workspace }, request) =>
    withHost(request, workspace, async (host) => {
      await host.refreshTools()
      return describeTools(host.registry.snapshot())
    }),
  explainTool: ({ name, workspace, session }, request) =>
    withHost(request, workspace, async (host) => {
      const question = { tool: name, workspace: host.workspace, ...(session && { session }) }
      return { findings: await orExplain(request.home.explainTool(question)) }
    }),
  async checkTool({ name, arguments: args, session, workspace, mode, dryRun }, request) {
    const options = { signal: request.signal(), ...(mode && { mode }), ...(dryRun && { dryRun }) }
    if (session !== undefined) return withSession(request, session, (found) => found.check(name, args, options))
    return withHost(request, workspace, async (host) => {
      await host.prepareTool(name)
      return host.check(name, args, options)
    })
  },
}
