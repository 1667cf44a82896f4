import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import type { Host } from '../../app/host.ts'
import { type Handlers, type RequestParts, withHost } from '../context.ts'
import { openApiDocument } from '../openapi.ts'
import { HttpError } from '../request/http-error.ts'

export const homeHandlers: Handlers<
  | 'health'
  | 'signIn'
  | 'makeLink'
  | 'listWorkspaces'
  | 'listFolders'
  | 'findFiles'
  | 'getSettings'
  | 'getTrust'
  | 'trustProject'
  | 'doctor'
  | 'openApi'
> = {
  health: async (_, { home, version, workspace }) => ({
    ...{ version, workspace, person: homedir(), logProblem: home.log.problem() ?? null },
  }),
  async signIn({ code }, { signIn }) {
    const token = await signIn(code)
    if (token !== undefined) return { token }
    throw new HttpError(
      'PERMISSION_DENIED',
      'This link was used before or is too old. Run haft serve --link for a new one.',
      { status: 401 },
    )
  },
  makeLink: async (_, { makeLink }) => makeLink(),
  async listWorkspaces(_, { home, workspace }) {
    const known = await home.workspaces()
    const own = { workspace, lastAt: null, sessions: 0, exists: true }
    return { workspaces: known.some((one) => one.workspace === workspace) ? known : [own, ...known] }
  },
  async listFolders({ path }, { home }) {
    if (path !== undefined && (!path.startsWith('/') || path.includes('\0')))
      throw new HttpError('INVALID_ARGUMENTS', 'The path must be absolute.')
    return home.folders(path)
  },
  findFiles: ({ q = '', workspace }, request) =>
    withHost(request, workspace, async (host) => ({ files: await host.findFiles(q, request.signal()) })),
  getSettings: async (_, { home }) => home.settings(),
  getTrust: ({ workspace }, request) => withHost(request, workspace, describeTrust),
  trustProject: ({ workspace, digest }, request) => trust(workspace, digest, request),
  doctor: ({ workspace }, request) =>
    withHost(request, workspace, async (host) => ({ findings: await host.examine() })),
  openApi: async (_, { version }) => openApiDocument(version),
}

/** Describes the project as it is on disk now, which may be newer than what counts. */
async function describeTrust({ workspace, lookAtProject }: Host) {
  const { project, difference } = await lookAtProject()
  const { file, content, tools, isTrusted, ignored } = project
  return {
    difference,
    ...{ workspace, path: file.path, tools, isTrusted, ignored },
    content: file.source ?? null,
    digest: content === undefined ? null : digestOf(content),
  }
}

/** Trusts exactly the content that the person was shown: the project is read anew, since a file may have changed. */
async function trust(given: string | undefined, digest: string, request: RequestParts) {
  const workspace = await withHost(request, given, async (host) => host.workspace)
  reopen(workspace, request)
  await withHost(request, workspace, async (host) => {
    const { content } = host.project
    if (content === undefined) throw new HttpError('CONFLICT', 'This project has no settings or tools of its own.')
    if (digestOf(content) !== digest)
      throw new HttpError('CONFLICT', 'The settings or tools of this project have changed. Look at them again.')
    host.trustProject()
  })
  reopen(workspace, request)
  return withHost(request, workspace, describeTrust)
}

function reopen(workspace: string, { home, workspace: own, ownHost }: RequestParts): void {
  if (workspace === own) ownHost.renew()
  else home.reopen(workspace)
}

function digestOf(content: string): string {
  return createHash('sha256').update(content).digest('hex')
}
