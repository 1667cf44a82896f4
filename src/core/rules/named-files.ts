import { createInstallCheck, isInstalled } from './trusted-content.ts'

/** The hooks that git runs at everyday commands, and the folders that hold them. */
const HOOKS = [
  ...['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'post-checkout', 'post-merge', 'pre-push'],
  ...['pre-rebase', 'post-rewrite'],
]
const HOOK_FOLDERS = ['.git/hooks', '.githooks', '.husky']

/** Files that run at `cd` or at a command of git, and whose words may name further programs of the project. */
const SCRIPTS = [
  ...['.envrc', '.pre-commit-config.yaml', '.pre-commit-config.yml', 'lefthook.yml', 'lefthook.yaml', '.lefthook.yml'],
  ...HOOK_FOLDERS.flatMap((folder) => HOOKS.map((hook) => `${folder}/${hook}`)),
]

/** What direnv reads without its name in `.envrc`. */
const READ_BY_DIRENV: readonly (readonly [pattern: RegExp, names: readonly string[]])[] = [
  [/^\s*use[ _]flake\b/m, ['flake.nix', 'flake.lock']],
  [/^\s*use[ _]nix\b/m, ['shell.nix', 'default.nix']],
  [/^\s*use[ _](devenv|flake)\b/m, ['devenv.nix', 'devenv.yaml', 'devenv.lock']],
  [/^\s*dotenv(_if_exists)?\b/m, ['.env']],
]

/** Endings of programs and of what sets variables; a hook that only mentions a document does not run it. */
const PROGRAM =
  /(^|\/)[^./][^/.]*$|\.(sh|bash|zsh|fish|py|rb|pl|php|lua|nix|awk|ps1|exs?)$|\.[cm]?[jt]sx?$|(^|\/)\.env[\w.-]*$/

/** Returns a function that tells whether a program that runs later by itself names a path: an install script, a hook of git, or what direnv runs at `cd`. `readText` returns the text of a file; each is read once. */
export function createNamedCheck(readText: (path: string) => string | undefined): (path: string) => boolean {
  const isRunAtInstall = createInstallCheck((folder) => readText(join(folder, 'package.json')))
  const known = new Map<string, ReadonlySet<string>>()
  const namedIn = (folder: string): ReadonlySet<string> => {
    const seen = known.get(folder) ?? new Set(SCRIPTS.flatMap((name) => listNamed(name, readText(join(folder, name)))))
    known.set(folder, seen)
    return seen
  }
  const isNamed = (path: string): boolean => {
    const parts = path.split('/')
    return parts.some((_, depth) => {
      const named = namedIn(parts.slice(0, depth).join('/'))
      const inner = parts.slice(depth).join('/')
      return named.size > 0 && (named.has(inner) || named.has(inner.replace(/(\/index)?\.[cm]?[jt]s$/, '')))
    })
  }
  return (path) => isRunAtInstall(path) || (!isInstalled(path) && isNamed(path))
}

/** Lists the programs that a script names, as paths from the folder that it runs in. */
function listNamed(script: string, text = ''): string[] {
  const words = text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .flatMap((line) => line.split(/[\s;&|()<>"'`=,[\]{}]+/))
    .map((word) => word.replace(/^\$\w+/, '').replace(/^(\.{0,2}\/)+/, ''))
  const read = script === '.envrc' ? READ_BY_DIRENV.filter(([pattern]) => pattern.test(text)) : []
  // A word without a slash or an ending is a command of the system.
  const programs = words.filter((word) => PROGRAM.test(word) && /[./]/.test(word))
  return [...programs, ...read.flatMap(([, names]) => names)]
}

const join = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)
