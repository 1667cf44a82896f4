import { readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isTrustedPath } from '../../../core/rules/trusted-files.ts'
import { insidePath, resolvePath } from '../../../core/text/paths.ts'

/** Returns a function that tells whether a link with a trusted name leads to a path: where `.vscode` is a link to `tools/vscode`, an editor runs what lies there. Looks at the folders above a path, each once. */
export function createLinkedCheck(workspace: string): (path: string) => boolean {
  const root = realpathSync(workspace)
  const known = new Map<string, readonly string[]>()
  const targetsIn = (folder: string): readonly string[] => {
    const seen = known.get(folder) ?? listTargets(root, folder)
    known.set(folder, seen)
    return seen
  }
  return (path) => {
    for (let at = path.lastIndexOf('/'); ; at = path.lastIndexOf('/', at - 1)) {
      const targets = targetsIn(path.slice(0, Math.max(0, at)))
      if (targets.some((target) => path === target || path.startsWith(`${target}/`))) return true
      if (at <= 0) return false
    }
  }
}

/** Lists where the trusted links of a folder lead, as far as that is in the workspace. */
function listTargets(root: string, folder: string): string[] {
  return linksIn(join(root, folder)).flatMap((name) => {
    const path = folder === '' ? name : `${folder}/${name}`
    if (!isTrustedPath(path)) return []
    const target = insidePath(root, targetOf(join(root, path)))
    return target === undefined || target === '.' ? [] : [target]
  })
}

function linksIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isSymbolicLink() ? [entry.name] : []))
  } catch {
    // The command made the folder, or we may not read it.
    return []
  }
}

/** Returns where a link leads; for one that leads nowhere yet, what its text says. */
function targetOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolvePath(dirname(path), readlinkSync(path))
  }
}
