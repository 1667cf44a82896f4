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
  let known: readonly string[] = []
  const join = (): void => {
    const all = new Set([...workspaces].flatMap(({ values }) => values))
    known = [...all].sort((a, b) => b.length - a.length)
  }
  const masker = createMasker({
    patterns,
    key: () => readMaskKey(home),
    known: () => known,
    refresh() {
      let isChanged = false
      for (const workspace of workspaces) isChanged = workspace.refresh() || isChanged
      if (isChanged) join()
    },
  })
  return {
    ...masker,
    async openWorkspace(path) {
      const opened = await openWorkspaceSecrets(path)
      workspaces.add(opened)
      join()
      return {
        listHiddenFiles: opened.listHiddenFiles,
        close() {
          workspaces.delete(opened)
          join()
        },
      }
    },
  }
}
