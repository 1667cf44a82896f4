import { createMasker, type Masker } from '../../core/secrets/masker.ts'
import { readMaskKey } from './mask-key.ts'
import { openWorkspaceSecrets, type WorkspaceSecrets } from './workspace-secrets.ts'

/** The masker of a home: it knows the secrets of every workspace that is open. */
export interface HomeMasker extends Masker {
  /** Reads the secrets of a workspace and keeps them up to date until it is closed. */
  openWorkspace(workspace: string): Promise<OpenedSecrets>
}

/** The secrets of a workspace that is open. */
export interface OpenedSecrets extends Pick<WorkspaceSecrets, 'listHiddenFiles'> {
  close(): void
}

/** Creates the masker of a home, with the patterns of its settings. */
export function createHomeMasker(home: string | undefined, patterns: readonly RegExp[]): HomeMasker {
  const workspaces = new Set<WorkspaceSecrets>()
  let joined: readonly (readonly string[])[] = []
  let known: readonly string[] = []
  const masker = createMasker({
    patterns,
    key: () => readMaskKey(home),
    known() {
      if (isSame(workspaces, joined)) return known
      joined = [...workspaces].map(({ values }) => values)
      known = [...new Set(joined.flat())].sort((a, b) => b.length - a.length)
      return known
    },
    refresh() {
      for (const workspace of workspaces) workspace.refresh()
    },
  })
  return {
    ...masker,
    async openWorkspace(path) {
      const opened = await openWorkspaceSecrets(path)
      workspaces.add(opened)
      return {
        listHiddenFiles: opened.listHiddenFiles,
        close: () => void workspaces.delete(opened),
      }
    },
  }
}

/** True when the workspaces have the values that were joined. Asked for every text, so it makes no new array. */
function isSame(workspaces: ReadonlySet<WorkspaceSecrets>, joined: readonly (readonly string[])[]): boolean {
  if (workspaces.size !== joined.length) return false
  let index = 0
  for (const { values } of workspaces) if (values !== joined[index++]) return false
  return true
}
