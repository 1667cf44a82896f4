/** Files and folders that other programs execute or trust without asking. Creating one is a way to run code later. */
const TRUSTED = new Set(['.vscode', '.idea', '.envrc', '.husky', '.npmrc', '.mcp.json', '.claude', '.cursor'])

/** True for a path that other programs execute or trust, at any depth, in upper or lower case. */
export function isTrustedPath(path: string): boolean {
  const parts = path.toLowerCase().split('/')
  return parts.some((part, index) => TRUSTED.has(part) || (part === '.github' && isWorkflows(parts[index + 1])))
}

/** `.github` itself counts too, because it can be moved into place with its workflows inside. */
function isWorkflows(next: string | undefined): boolean {
  return next === undefined || next === 'workflows'
}
