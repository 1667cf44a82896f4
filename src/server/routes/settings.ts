import { Answered, type Handlers, type RequestParts } from '../context.ts'
import { HttpError } from '../request/http-error.ts'

export const settingHandlers: Handlers<'listSettings' | 'listToolFolders' | 'addToolFolder' | 'removeToolFolder'> = {
  listSettings: async (_, { home }) => ({ settings: await home.settingOrigins() }),
  listToolFolders: async (_, { home }) => ({ folders: home.toolFolders.list() }),
  async addToolFolder({ path }, request) {
    const added = await request.home.toolFolders.add(path, [request.workspace])
    await reopenAll(request)
    return new Answered(201, { path: added })
  },
  async removeToolFolder({ path }, request) {
    if (!(await request.home.toolFolders.remove(path)))
      throw new HttpError(
        'FILE_NOT_FOUND',
        `There is no tool folder ${JSON.stringify(path)} that was added here. Folders of settings.toml are removed there.`,
      )
    await reopenAll(request)
    return { done: true }
  },
}

/** Makes the next use of every workspace load the tools of the folders of now. */
async function reopenAll({ home, ownHost }: RequestParts): Promise<void> {
  ownHost.renew()
  for (const { workspace } of await home.workspaces()) home.reopen(workspace)
}
