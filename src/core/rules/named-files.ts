import { listNamedPaths, type NamedPaths } from './named-words.ts'
import { createInstallCheck, HOOK_KEYS, isInstalled, readJson } from './trusted-content.ts'

/** The hooks that git runs, and the folders that hold them. */
const HOOKS = [
  ...['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'post-checkout', 'post-merge', 'pre-push'],
  ...['pre-rebase', 'post-rewrite'],
]
const RARE_HOOKS = [
  ...['pre-merge-commit', 'post-index-change', 'reference-transaction', 'pre-auto-gc', 'applypatch-msg'],
  ...['pre-applypatch', 'post-applypatch', 'fsmonitor-watchman', 'sendemail-validate'],
]
const HOOK_FOLDERS = ['.git/hooks', '.githooks', '.husky']

/** Files that run at `cd` or at a command of git, and whose words may name further programs of the project. */
const SCRIPTS = [
  ...['.envrc', '.pre-commit-config.yaml', '.pre-commit-config.yml', '.lintstagedrc', '.lintstagedrc.json', '.huskyrc'],
  ...[
    'lefthook.yml',
    'lefthook.yaml',
    '.lefthook.yml',
    'lefthook.toml',
    'lefthook-local.yml',
    '.simple-git-hooks.json',
  ],
]

/** What direnv reads without its name in `.envrc`. */
const READ_BY_DIRENV: readonly (readonly [pattern: RegExp, names: readonly string[]])[] = [
  [/^\s*use[ _]flake\b/m, ['flake.nix', 'flake.lock']],
  [/^\s*use[ _]nix\b/m, ['shell.nix', 'default.nix']],
  [/^\s*use[ _](devenv|flake)\b/m, ['devenv.nix', 'devenv.yaml', 'devenv.lock']],
  [/^\s*dotenv(_if_exists)?\b/m, ['.env']],
]

/** Commands that people type; one of these in a folder that `.envrc` puts on the PATH runs in place of the system's. */
const TYPED = [
  ...[
    'git',
    'ls',
    'cat',
    'cd',
    'cp',
    'mv',
    'rm',
    'grep',
    'rg',
    'find',
    'sed',
    'awk',
    'less',
    'head',
    'tail',
    'env',
    'sudo',
  ],
  ...['sh', 'bash', 'zsh', 'fish', 'ssh', 'scp', 'curl', 'wget', 'tar', 'make', 'cmake', 'just', 'docker', 'kubectl'],
  ...['terraform', 'aws', 'gh', 'node', 'npm', 'npx', 'pnpm', 'yarn', 'bun', 'deno', 'tsc', 'python', 'python3', 'pip'],
  ...[
    'pip3',
    'uv',
    'poetry',
    'pytest',
    'ruby',
    'bundle',
    'gem',
    'cargo',
    'rustc',
    'go',
    'java',
    'mvn',
    'gradle',
    'php',
  ],
  ...['composer', 'perl', 'vim', 'vi', 'nvim', 'emacs', 'nano', 'code', 'direnv', 'mise', 'asdf', 'pre-commit', 'tmux'],
]
const PUT_ON_PATH =
  /^\s*(?:PATH_add|path_add\s+PATH)\s+["']?([^\s"']+)|\bPATH=["']?(?:\$PWD|\$\{PWD\}|\$\(pwd\)|\.)\/([^:"'\s]+)/gm

/** How many scripts are followed from one folder. */
const MAX_SCRIPTS = 200

/** Returns a function that tells whether a program that runs later by itself names a path: an install script, a hook of git, or what direnv runs at `cd`, and what these run in turn. `readText` returns the text of a file; each is read once. */
export function createNamedCheck(readText: (path: string) => string | undefined): (path: string) => boolean {
  const isRunAtInstall = createInstallCheck((folder) => readText(join(folder, 'package.json')))
  const known = new Map<string, Named>()
  const namedIn = (folder: string): Named => {
    const seen = known.get(folder) ?? followScripts((path) => readText(join(folder, path)))
    known.set(folder, seen)
    return seen
  }
  const isNamed = (path: string): boolean => {
    const parts = path.split('/')
    return parts.some((_, depth) => isIn(namedIn(parts.slice(0, depth).join('/')), parts.slice(depth).join('/')))
  }
  return (path) => isRunAtInstall(path) || (!isInstalled(path) && isNamed(path))
}

interface Named {
  readonly paths: Set<string>
  readonly ends: Set<string>
  readonly patterns: RegExp[]
}

function isIn({ paths, ends, patterns }: Named, path: string): boolean {
  if (paths.size === 0 && patterns.length === 0) return false
  const plain = path.replace(/(\/index)?\.[cm]?[jt]s$/, '')
  if (paths.has(path) || paths.has(plain) || patterns.some((pattern) => pattern.test(path))) return true
  for (const end of ends) if (path.endsWith(`/${end}`) || plain.endsWith(`/${end}`)) return true
  return false
}

/** Reads the scripts of a folder, then those that they name, and so on. */
function followScripts(read: (path: string) => string | undefined): Named {
  const found: Named = { paths: new Set(), ends: new Set(), patterns: [] }
  const queue: string[] = []
  const add = ({ paths, ends, patterns }: NamedPaths, folder: string): void => {
    for (const path of paths) {
      for (const one of folder === '' ? [path] : [path, `${folder}/${path}`]) {
        if (!found.paths.has(one) && queue.length < MAX_SCRIPTS) queue.push(one)
        found.paths.add(one)
      }
    }
    for (const end of ends) found.ends.add(end)
    found.patterns.push(...patterns)
  }
  for (const script of listScripts(read)) {
    const text = read(script) ?? ''
    add(listNamedPaths(text), '')
    if (script === '.envrc') for (const path of listForDirenv(text)) found.paths.add(path)
  }
  add(listNamedPaths(hooksOfPackage(read('package.json'))), '')
  for (const path of queue) {
    const at = PROGRAM_ENDINGS.map((ending) => `${path}${ending}`).find(
      (one) => !isInstalled(one) && read(one) !== undefined,
    )
    if (at !== undefined) add(listNamedPaths(read(at) ?? ''), at.slice(0, Math.max(0, at.lastIndexOf('/'))))
  }
  return found
}

/** A name without an ending may be that of a module. */
const PROGRAM_ENDINGS = ['', '.js', '.mjs', '.cjs', '.ts', '/index.js', '/index.ts']

/** Lists the scripts that may be in a folder; in that of a repository also rare hooks, and those of the folder that its configuration names. */
function listScripts(read: (path: string) => string | undefined): string[] {
  const config = read('.git/config')
  const usual = [...SCRIPTS, ...HOOK_FOLDERS.flatMap((folder) => HOOKS.map((hook) => `${folder}/${hook}`))]
  if (config === undefined) return usual
  const named = /^\s*hooksPath\s*=\s*"?([^"\n#;]+?)"?\s*$/im.exec(config)?.[1]?.replace(/^(\.\/)+|\/+$/g, '')
  // Husky names a folder below that of the hooks.
  const own = named === undefined ? [] : [named, named.replace(/\/_$/, '')]
  const rare = [...HOOK_FOLDERS, ...own].flatMap((folder) => RARE_HOOKS.map((hook) => `${folder}/${hook}`))
  return [...new Set([...usual, ...rare, ...own.flatMap((folder) => HOOKS.map((hook) => `${folder}/${hook}`))])]
}

function listForDirenv(text: string): string[] {
  const folders = [...text.matchAll(PUT_ON_PATH)].map(([, first, second]) =>
    (first ?? second ?? '').replace(/^(\.?\/)+|\/+$/g, ''),
  )
  return [
    ...READ_BY_DIRENV.flatMap(([pattern, names]) => (pattern.test(text) ? names : [])),
    ...folders.filter((folder) => folder !== '').flatMap((folder) => TYPED.map((name) => `${folder}/${name}`)),
  ]
}

/** Returns the commands that tools of hooks read from a package.json. */
function hooksOfPackage(text = ''): string {
  const json = readJson(text)
  return HOOK_KEYS.map((key) => (json?.[key] === undefined ? '' : JSON.stringify(json[key]))).join('\n')
}

const join = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)
