/** Files and folders from which tools take what they run in the hooks of a repository. */
const HOOK_TOOLS = [
  ...[
    '.husky',
    '.pre-commit-config.yaml',
    '.overcommit.yml',
    '.pre-commit-config.yml',
    'prek.toml',
    'hk.pkl',
    'hk.local.pkl',
  ],
  ...['captainhook.json', 'grumphp.yml', 'grumphp.yaml', 'grumphp.yml.dist', 'grumphp.dist.yml', '.gitlint'],
  ...['.git-hooks', '.cargo-husky', 'rusty-hook.toml', '.rusty-hook.toml'],
  ...['lefthook', 'lefthook-local'].flatMap((name) =>
    ['yml', 'yaml', 'toml', 'json', 'jsonc'].flatMap((type) => [`${name}.${type}`, `.${name}.${type}`]),
  ),
  ...['.lefthook', '.lefthook-local', '.huskyrc', '.huskyrc.js', '.huskyrc.json', '.huskyrc.yaml', '.huskyrc.yml'],
  ...['husky.config.js', '.lintstagedrc', '.nanostagedrc'],
] as const

/** Files and folders that other programs execute or trust without asking, at any depth: a new one is a way to run code later. The one list for prediction and for what is applied. */
const NAMES = [
  // Editors and debuggers, which run tasks, servers and settings of the folder they open.
  ...['.vscode', '.idea', '.zed', '.fleet', '.vs', '.nova', '.helix', '.externalToolBuilders', '.theia'],
  ...['.run', '.lazy.lua', '.neoconf.json', '.luarc.json', '.luarc.jsonc', '.ycm_extra_conf.py', 'rust-analyzer.toml'],
  ...['.devcontainer', '.devcontainer.json', '.dir-locals.el', '.dir-locals-2.el', '.vim'],
  ...['.exrc', '_exrc', '.vimrc', '_vimrc', '.gvimrc', '_gvimrc', '.nvimrc', '.nvim.lua', '.lvimrc', '.local.vimrc'],
  ...['.bsp', '.bloop', 'hie.yaml', 'omnisharp.json', '.lite_project.lua', '.kateproject', '.lapce', '.ruby-lsp'],
  ...['.gdbinit', '.lldbinit', '.byebugrc', '.rdbgrc', '.pdbrc', '.pdbrc.py'],
  // Interpreters, which run these in the folder they start in.
  ...['.irbrc', '_irbrc', 'irb.rc', '.pryrc', '.psysh.php', '.user.ini', '.iex.exs', '.erlang', '.ocamlinit'],
  ...['.Rprofile', '.Renviron', '.radian_profile', '.ghci', '.ghcid', '.octaverc', 'startup.m', 'bunfig.toml'],
  ...['sitecustomize.py', 'usercustomize.py', 'jupyter_server_config.py', 'jupyter_server_config.json'],
  ...['jupyter_notebook_config.py', 'jupyter_notebook_config.json', 'jupyter_lab_config.py', 'jupyter_config.py'],
  // Settings of shells and programs that a folder of dotfiles holds for the home folder.
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile', '.zshrc', '.zshenv'],
  ...['.zprofile', '.zlogin', '.zlogout', '.kshrc', '.cshrc', '.tcshrc', '.inputrc', '.tmux.conf', '.screenrc'],
  ...['.xinitrc', '.xprofile', '.xsession', '.pam_environment', '.gitconfig', '.ssh', '.gnupg', '.curlrc', '.wgetrc'],
  ...['.psqlrc', '.sqliterc', '.emacs', '.emacs.d', '.spacemacs', '.doom.d'],
  // Agents, which start servers and hooks that these name.
  ...['.claude', '.cursor', '.gemini', '.codex', '.windsurf', '.continue', '.mcp.json', '.aider.conf.yml'],
  ...['.roo', '.cline', '.kilocode', '.opencode', 'opencode.json', 'opencode.jsonc', '.kiro', '.amazonq', '.qwen'],
  ...['.crush.json', 'crush.json', '.amp', '.junie', '.trae', '.augment', '.factory', '.goose', '.openhands'],
  ...['.copilot', '.zencoder', '.agents', '.agent', '.warp', '.codeium', '.rovodev'],
  // Instructions that every later session of an agent follows, Haft's own among them.
  ...['AGENTS.md', 'AGENTS.override.md', 'CLAUDE.md', 'CLAUDE.local.md', 'GEMINI.md', 'QWEN.md', 'CRUSH.md'],
  ...['AGENT.md', 'WARP.md', 'IFLOW.md', 'CODEBUDDY.md', '.aiderrules', '.aider.conf.yaml'],
  ...['.cursorrules', '.windsurfrules', '.clinerules', '.roorules', '.goosehints', '.rules'],
  // Shells and version managers, at `cd`.
  ...['.shadowenv.d', '.smartcd', '.envrc.private'],
  ...['.envrc', '.direnv', '.autoenv', '.autoenv.zsh', '.autoenv_leave.zsh', '.flox'],
  ...['.tool-versions', '.mise', '.rtx.toml', '.prototools', '.envrc.local'],
  // Package managers and builders, whose settings name registries and programs.
  ...['.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', '.pnpmfile.mjs', '.bowerrc', '.mvn', 'nuget.config'],
  ...['package.yaml', 'package.json5', 'uv.toml', '.jvmopts', '.sbtopts', '.sbtrc', 'pip.conf', 'pip.ini'],
  ...[
    'poetry.toml',
    '.arcconfig',
    '.arclint',
    '.reviewboardrc',
    '.repo',
    '.gclient',
    '.mrconfig',
    '.actrc',
    'ansible.cfg',
  ],
  ...['.latexmkrc', 'latexmkrc', '.trunk', '.fslckout', '_FOSSIL_', '.fossil-settings'],
  ...['.bazelrc', '.bazelversion', '.bazeliskrc', '.buckconfig', '.buckconfig.local', '.pants.rc', '.plzconfig'],
  // Git, other version control, and what runs at their commands.
  ...['.gitattributes', '.gitmodules', '.lfsconfig', '.bzr', '.pijul'],
  ...HOOK_TOOLS,
  // Builds on servers, and workspaces that are opened there.
  ...['.gitlab-ci.yml', '.circleci', '.buildkite', '.woodpecker', '.woodpecker.yml', '.woodpecker.yaml', '.drone.yml'],
  ...['.drone.star', '.drone.jsonnet', '.travis.yml', 'azure-pipelines.yml', 'azure-pipelines.yaml'],
  ...['bitbucket-pipelines.yml', 'Jenkinsfile', 'appveyor.yml', '.appveyor.yml', '.cirrus.yml', '.cirrus.star'],
  ...['.semaphore', '.teamcity', '.build.yml', '.builds', 'buildspec.yml', 'cloudbuild.yaml', 'cloudbuild.yml'],
  ...['.readthedocs.yml', '.readthedocs.yaml', 'netlify.toml', '.tekton', '.zuul.yaml', 'zuul.yaml', '.zuul.d'],
  ...['.vela.yml', '.onedev-buildspec.yml', '.buddy', 'buddy.yml', 'codefresh.yml', '.codefresh', '.harness'],
  ...['.azure-pipelines', '.azuredevops', '.pipelines', 'wercker.yml', '.scrutinizer.yml', '.cnb.yml', '.packit.yaml'],
  ...['codemagic.yaml', 'bitrise.yml', '.gitpod.yml', '.replit', '.stackblitzrc', '.idx', '.codesandbox'],
] as const

/** Folders of which only some entries are trusted. */
const INSIDE: Readonly<Record<string, readonly string[]>> = {
  '.github': [
    ...['workflows', 'actions', 'hooks', 'copilot-instructions.md', 'instructions', 'prompts', 'chatmodes', 'agents'],
    ...['copilot', 'skills'],
  ],
  '.gitlab': ['ci', 'agents'],
  '.gitea': ['workflows'],
  '.forgejo': ['workflows'],
  '.cargo': ['config', 'config.toml'],
  '.config': [
    'mise',
    'mise.toml',
    'lefthook.yml',
    'lefthook.yaml',
    'lefthook.toml',
    'lefthook.json',
    'hk.pkl',
    'git',
    'fish',
    'nvim',
    'systemd',
    'autostart',
  ],
  '.yarn': ['releases', 'plugins', 'sdks'],
  '.bundle': ['config', 'plugin'],
  '.swiftpm': ['configuration'],
  '.hg': ['hgrc', 'hgrc-not-shared', 'sharedpath', 'requires'],
  '.sl': ['config', 'hgrc', 'sharedpath', 'requires'],
  '.jj': ['repo'],
  _darcs: ['prefs'],
}

/** Trusted entries of folders that have ordinary names. */
const PATHS = ['tools/bazel', 'gradle/wrapper', 'CVS/Root', 'mise/config.toml']

/** Names with many endings, as sources of regular expressions. */
const HOOK_TOOL_PATTERNS = [
  '\\.?(?:lintstaged|commitlint)rc\\.(?:json|ya?ml|[cm]?[jt]s)',
  '(?:lint-staged|commitlint)\\.config\\.[cm]?[jt]s',
  '\\.?(?:simple-git-hooks|nano-staged)\\.(?:json|[cm]?[jt]s)',
]
const PATTERNS = [
  '[^/]+\\.code-workspace',
  '[^/]+\\.sublime-project',
  '[^/]+\\.(?:ipr|iws)',
  // For each environment: mise.production.toml.
  '\\.?mise(?:\\.[^/]+)?\\.toml',
  ...HOOK_TOOL_PATTERNS,
]

const escapeDots = (name: string): string => name.replaceAll('.', '\\.')

/** The trusted entries as the source of a regular expression over paths, without what comes before and after. */
export const TRUSTED_SOURCE = [
  ...NAMES.map(escapeDots),
  ...Object.entries(INSIDE).map(([folder, names]) => `${escapeDots(folder)}\\/(?:${names.map(escapeDots).join('|')})`),
  ...PATHS.map(escapeDots),
  ...PATTERNS,
].join('|')

/** A folder such as `.github` itself counts too: it can be moved into place with its workflows inside. */
const TRUSTED = new RegExp(
  `(?:^|/)(?:(?:${TRUSTED_SOURCE})(?:/|$)|(?:${Object.keys(INSIDE).map(escapeDots).join('|')})$)`,
  // With Unicode, so that letters count that a file system without upper and lower case takes for the same.
  'iu',
)

/** Characters that some file systems ignore when they compare names. */
const UNSEEN = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g
/** What Windows leaves out at the end of a name: dots, spaces, and the name of a stream. */
const ENDING = /(?::[^/]*|[. ]+)(?=\/|$)/g

/** True for a path that other programs execute or trust, at any depth, also as the file systems of other machines compare names. */
export function isTrustedPath(path: string): boolean {
  if (TRUSTED.test(path)) return true
  const plain = path.replace(UNSEEN, '').normalize('NFC').replace(ENDING, '')
  return plain !== path && TRUSTED.test(plain)
}

const HOOK_TOOL = new RegExp(
  `(?:^|/)(?:${[...HOOK_TOOLS.map(escapeDots), ...HOOK_TOOL_PATTERNS].join('|')})(?:/|$)`,
  'iu',
)

/** True for a path from which a tool takes what it runs in the hooks of a repository. */
export function isHookToolPath(path: string): boolean {
  return HOOK_TOOL.test(path)
}

/** True for what changes a program of the workspace that settings name to run outside the sandbox: the program, what lies in its folder, and a folder above it. All paths are relative to the workspace. */
export function isOwnProgram(path: string, ownPrograms: readonly string[]): boolean {
  return ownPrograms.some((own) => own === path || path.startsWith(`${own}/`) || own.startsWith(`${path}/`))
}
