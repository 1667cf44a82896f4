/** Files and folders that other programs execute or trust without asking, at any depth: a new one is a way to run code later. The one list for prediction and for what is applied. */
const NAMES = [
  // Editors and debuggers, which run tasks, servers and settings of the folder they open.
  ...['.vscode', '.idea', '.zed', '.fleet', '.vs', '.devcontainer', '.devcontainer.json', '.dir-locals.el'],
  ...['.exrc', '.vimrc', '_vimrc', '.gvimrc', '.nvimrc', '.nvim.lua', '.lvimrc', '.gdbinit', '.lldbinit'],
  // Interpreters, which run these in the folder they start in.
  ...['.pdbrc', '.irbrc', '.pryrc', '.Rprofile', '.ghci', '.octaverc', 'bunfig.toml'],
  // Agents, which start servers and hooks that these name.
  ...['.claude', '.cursor', '.gemini', '.codex', '.windsurf', '.continue', '.mcp.json', '.aider.conf.yml'],
  ...['.roo', '.cline', '.kilocode', '.opencode', 'opencode.json', '.kiro', '.amazonq', '.qwen', '.crush.json'],
  // Shells and version managers, at `cd`.
  ...[
    '.envrc',
    '.tool-versions',
    '.mise.toml',
    'mise.toml',
    '.mise.local.toml',
    'mise.local.toml',
    '.mise',
    '.rtx.toml',
  ],
  // Package managers.
  ...['.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', '.pnpmfile.mjs', '.mvn'],
  ...['package.yaml', 'package.json5'],
  // Git and what runs at its commands.
  ...['.gitattributes', '.gitmodules', '.husky', '.pre-commit-config.yaml', '.overcommit.yml'],
  ...['lefthook.yml', '.lefthook.yml', 'lefthook.yaml', 'lefthook.toml', 'lefthook.json', 'lefthook-local.yml'],
  ...['.lefthook', '.lefthook-local.yml', '.huskyrc', '.huskyrc.js', '.huskyrc.json', '.lintstagedrc'],
  ...['.lintstagedrc.json', '.lintstagedrc.js', '.lintstagedrc.mjs', '.lintstagedrc.cjs', '.lintstagedrc.yml'],
  ...['lint-staged.config.js', 'lint-staged.config.mjs', 'lint-staged.config.cjs', 'lint-staged.config.ts'],
  ...['.simple-git-hooks.json', '.simple-git-hooks.js', '.simple-git-hooks.cjs', 'simple-git-hooks.json'],
  ...['simple-git-hooks.js', 'simple-git-hooks.cjs', '.huskyrc.yaml', '.huskyrc.yml', 'husky.config.js'],
  // Builds on servers.
  ...['.gitlab-ci.yml', '.circleci', '.buildkite', '.woodpecker', '.woodpecker.yml', '.drone.yml', '.travis.yml'],
  ...['azure-pipelines.yml', 'bitbucket-pipelines.yml', 'Jenkinsfile', 'appveyor.yml', '.appveyor.yml', '.cirrus.yml'],
] as const

/** Folders of which only some entries are trusted. */
const INSIDE: Readonly<Record<string, readonly string[]>> = {
  '.github': ['workflows', 'actions'],
  '.gitea': ['workflows'],
  '.forgejo': ['workflows'],
  '.cargo': ['config', 'config.toml'],
  '.config': ['mise', 'mise.toml'],
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
