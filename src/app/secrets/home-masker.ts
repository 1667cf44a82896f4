import { createMasker, type Masker } from '../../core/secrets/masker.ts'
import { formsOf } from '../../core/secrets/secret-forms.ts'
import { readMaskKey } from './mask-key.ts'
import { openWorkspaceSecrets, type WorkspaceSecrets } from './workspace-secrets.ts'

/** The masker of a home: it knows the secrets of every workspace that is open. */
export interface HomeMasker extends Masker {
  /** Reads the secrets of a workspace and keeps them up to date until it is closed. */
  openWorkspace(workspace: string): Promise<OpenedSecrets>
  /** Masks these values too, wherever they occur, until the home is closed. */
  addSecrets(values: readonly string[]): void
}

/** The secrets of a workspace that is open. */
export interface OpenedSecrets extends Pick<WorkspaceSecrets, 'listHiddenFiles'> {
  close(): void
}

/** Creates the masker of a home, with the patterns of its settings. */
export function createHomeMasker(home: string | undefined, patterns: readonly RegExp[]): HomeMasker {
  const workspaces = new Set<WorkspaceSecrets>()
  const added = new Set<string>()
  /** Undefined when the values of a workspace have changed since. */
  let known: readonly string[] | undefined
  /** When files were last looked at, in milliseconds of the process's clock. */
  let looked = Number.NEGATIVE_INFINITY
  const masker = createMasker({
    patterns,
    key: () => readMaskKey(home),
    known() {
      known ??= [...new Set([...added, ...[...workspaces].flatMap(({ values }) => values)].flatMap(formsOf))].sort(
        (a, b) => b.length - a.length,
      )
      return known
    },
    refresh(within = 0, now = performance.now()) {
      if (now - looked < within) return
      looked = now
      for (const workspace of workspaces) workspace.refresh()
    },
  })
  const forget = (): void => {
    known = undefined
  }
  return {
    ...masker,
    addSecrets(values) {
      for (const value of values) added.add(value)
      forget()
    },
    async openWorkspace(path) {
      const opened = await openWorkspaceSecrets(path, forget)
      workspaces.add(opened)
      forget()
      return {
        listHiddenFiles: opened.listHiddenFiles,
        close() {
          workspaces.delete(opened)
          forget()
        },
      }
    },
  }
}
