/** Files and folders that other programs execute or trust without asking, at any depth: a new one is a way to run code later. The one list for prediction and for what is applied. */
const NAMES = [
  // Editors and debuggers, which run tasks, servers and settings of the folder they open.
  ...['.vscode', '.idea', '.zed', '.fleet', '.vs', '.nova', '.helix', '.externalToolBuilders', '.theia'],
  ...['.devcontainer', '.devcontainer.json', '.dir-locals.el', '.dir-locals-2.el', '.vim'],
  ...['.exrc', '_exrc', '.vimrc', '_vimrc', '.gvimrc', '_gvimrc', '.nvimrc', '.nvim.lua', '.lvimrc', '.local.vimrc'],
  ...['.gdbinit', '.lldbinit', '.byebugrc', '.rdbgrc', '.pdbrc', '.pdbrc.py'],
  // Interpreters, which run these in the folder they start in.
  ...['.irbrc', '_irbrc', 'irb.rc', '.pryrc', '.psysh.php', '.user.ini', '.iex.exs', '.erlang', '.ocamlinit'],
  ...['.Rprofile', '.Renviron', '.radian_profile', '.ghci', '.ghcid', '.octaverc', 'startup.m', 'bunfig.toml'],
  ...['sitecustomize.py', 'usercustomize.py', 'jupyter_server_config.py', 'jupyter_server_config.json'],
  ...['jupyter_notebook_config.py', 'jupyter_notebook_config.json', 'jupyter_lab_config.py', 'jupyter_config.py'],
  // Agents, which start servers and hooks that these name.
  ...['.claude', '.cursor', '.gemini', '.codex', '.windsurf', '.continue', '.mcp.json', '.aider.conf.yml'],
  ...['.roo', '.cline', '.kilocode', '.opencode', 'opencode.json', 'opencode.jsonc', '.kiro', '.amazonq', '.qwen'],
  ...['.crush.json', 'crush.json', '.amp', '.junie', '.trae', '.augment', '.factory', '.goose', '.openhands'],
  ...['.copilot', '.zencoder', '.agents'],
  // Shells and version managers, at `cd`.
  ...['.envrc', '.direnv', '.autoenv', '.autoenv.zsh', '.autoenv_leave.zsh', '.flox'],
  ...['.tool-versions', '.mise.toml', 'mise.toml', '.mise.local.toml', 'mise.local.toml', '.mise', '.rtx.toml'],
  ...['.prototools'],
  // Package managers and builders, whose settings name registries and programs.
  ...['.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', '.pnpmfile.mjs', '.bowerrc', '.mvn', 'nuget.config'],
  ...['package.yaml', 'package.json5', 'uv.toml', '.jvmopts', '.sbtopts', '.sbtrc'],
  ...['.bazelrc', '.bazelversion', '.bazeliskrc', '.buckconfig', '.buckconfig.local', '.pants.rc', '.plzconfig'],
  // Git, other version control, and what runs at their commands.
  ...['.gitattributes', '.gitmodules', '.lfsconfig', '.husky', '.pre-commit-config.yaml', '.overcommit.yml'],
  ...['.pre-commit-config.yml', 'prek.toml', 'hk.pkl', 'captainhook.json', 'grumphp.yml', '.bzr', '.pijul'],
  ...['lefthook', 'lefthook-local'].flatMap((name) =>
    ['yml', 'yaml', 'toml', 'json', 'jsonc'].flatMap((type) => [`${name}.${type}`, `.${name}.${type}`]),
  ),
  ...['.lefthook', '.lefthook-local', '.huskyrc', '.huskyrc.js', '.huskyrc.json', '.lintstagedrc'],
  ...['.lintstagedrc.json', '.lintstagedrc.js', '.lintstagedrc.mjs', '.lintstagedrc.cjs', '.lintstagedrc.yml'],
  ...['.lintstagedrc.yaml', '.lintstagedrc.ts', '.lintstagedrc.mts', 'lint-staged.config.mts'],
  ...['lint-staged.config.js', 'lint-staged.config.mjs', 'lint-staged.config.cjs', 'lint-staged.config.ts'],
  ...['.simple-git-hooks.json', '.simple-git-hooks.js', '.simple-git-hooks.cjs', 'simple-git-hooks.json'],
  ...['simple-git-hooks.js', 'simple-git-hooks.cjs', '.huskyrc.yaml', '.huskyrc.yml', 'husky.config.js'],
  // Builds on servers, and workspaces that are opened there.
  ...['.gitlab-ci.yml', '.circleci', '.buildkite', '.woodpecker', '.woodpecker.yml', '.woodpecker.yaml', '.drone.yml'],
  ...['.drone.star', '.drone.jsonnet', '.travis.yml', 'azure-pipelines.yml', 'azure-pipelines.yaml'],
  ...['bitbucket-pipelines.yml', 'Jenkinsfile', 'appveyor.yml', '.appveyor.yml', '.cirrus.yml', '.cirrus.star'],
  ...['.semaphore', '.teamcity', '.build.yml', '.builds', 'buildspec.yml', 'cloudbuild.yaml', 'cloudbuild.yml'],
  ...['codemagic.yaml', 'bitrise.yml', '.gitpod.yml', '.replit', '.stackblitzrc', '.idx', '.codesandbox'],
] as const

/** Folders of which only some entries are trusted. */
const INSIDE: Readonly<Record<string, readonly string[]>> = {
  '.github': ['workflows', 'actions', 'hooks'],
  '.gitlab': ['ci', 'agents'],
  '.gitea': ['workflows'],
  '.forgejo': ['workflows'],
  '.cargo': ['config', 'config.toml'],
  '.config': ['mise', 'mise.toml', 'lefthook.yml', 'hk.pkl'],
  '.yarn': ['releases', 'plugins', 'sdks'],
  '.bundle': ['config', 'plugin'],
  '.swiftpm': ['configuration'],
  '.hg': ['hgrc', 'hgrc-not-shared', 'sharedpath', 'requires'],
  '.sl': ['config', 'hgrc', 'sharedpath', 'requires'],
  '.jj': ['repo'],
  _darcs: ['prefs'],
}

/** Trusted entries of folders that have ordinary names. */
const PATHS = ['tools/bazel', 'gradle/wrapper', 'CVS/Root']

const escapeDots = (name: string): string => name.replaceAll('.', '\\.')

/** The trusted entries as the source of a regular expression over paths, without what comes before and after. */
export const TRUSTED_SOURCE = [
  ...NAMES.map(escapeDots),
  ...Object.entries(INSIDE).map(([folder, names]) => `${escapeDots(folder)}\\/(?:${names.map(escapeDots).join('|')})`),
  ...PATHS.map(escapeDots),
  '[^/]+\\.code-workspace',
].join('|')

/** A folder such as `.github` itself counts too: it can be moved into place with its workflows inside. */
const TRUSTED = new RegExp(
  `(?:^|/)(?:(?:${TRUSTED_SOURCE})(?:/|$)|(?:${Object.keys(INSIDE).map(escapeDots).join('|')})$)`,
  // With Unicode, so that letters count that a file system without upper and lower case takes for the same.
  'iu',
)

/** Characters that some file systems ignore when they compare names. */
const UNSEEN = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g
const ENDING = /[. ]+(?=\/|$)/g

/** True for a path that other programs execute or trust, at any depth, also as the file systems of other machines compare names. */
export function isTrustedPath(path: string): boolean {
  if (TRUSTED.test(path)) return true
  const plain = path.replace(UNSEEN, '').normalize('NFC').replace(ENDING, '')
  return plain !== path && TRUSTED.test(plain)
}
