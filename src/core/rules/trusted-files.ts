/** Files and folders that other programs execute or trust without asking, at any depth: a new one is a way to run code later. The one list for prediction and for what is applied. */
const NAMES = [
  // Editors and debuggers, which run tasks, servers and settings of the folder they open.
  ...['.vscode', '.idea', '.zed', '.fleet', '.vs', '.devcontainer', '.devcontainer.json', '.dir-locals.el'],
  ...['.exrc', '.vimrc', '.nvimrc', '.nvim.lua', '.lvimrc', '.gdbinit', '.lldbinit'],
  // Agents, which start servers and hooks that these name.
  ...['.claude', '.cursor', '.gemini', '.codex', '.windsurf', '.continue', '.mcp.json', '.aider.conf.yml'],
  // Shells and version managers, at `cd`.
  ...['.envrc', '.tool-versions', '.mise.toml', 'mise.toml', '.rtx.toml'],
  // Package managers.
  ...['.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs'],
  // Git and what runs at its commands.
  ...['.gitattributes', '.gitmodules', '.husky', '.pre-commit-config.yaml', 'lefthook.yml', '.lefthook.yml'],
  // Builds on servers.
  ...['.gitlab-ci.yml', '.circleci', '.buildkite', '.woodpecker', '.woodpecker.yml', '.drone.yml', '.travis.yml'],
  ...['azure-pipelines.yml', 'bitbucket-pipelines.yml', 'Jenkinsfile'],
] as const

/** Folders of which only some entries are trusted. */
const INSIDE: Readonly<Record<string, readonly string[]>> = {
  '.github': ['workflows', 'actions'],
  '.gitea': ['workflows'],
  '.forgejo': ['workflows'],
  '.cargo': ['config', 'config.toml'],
  '.yarn': ['releases', 'plugins'],
  '.hg': ['hgrc', 'hgrc-not-shared'],
  '.jj': ['repo'],
}

const escapeDots = (name: string): string => name.replaceAll('.', '\\.')

/** The trusted entries as the source of a regular expression over paths, without what comes before and after. */
export const TRUSTED_SOURCE = [
  ...NAMES.map(escapeDots),
  ...Object.entries(INSIDE).map(([folder, names]) => `${escapeDots(folder)}\\/(?:${names.map(escapeDots).join('|')})`),
  '[^/]+\\.code-workspace',
].join('|')

/** A folder such as `.github` itself counts too: it can be moved into place with its workflows inside. */
const TRUSTED = new RegExp(
  `(?:^|/)(?:(?:${TRUSTED_SOURCE})(?:/|$)|(?:${Object.keys(INSIDE).map(escapeDots).join('|')})$)`,
  'i',
)

/** True for a path that other programs execute or trust, at any depth, in upper or lower case. */
export function isTrustedPath(path: string): boolean {
  return TRUSTED.test(path)
}
