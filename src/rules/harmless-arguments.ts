import { findSpec, knownName } from './shell/arguments/command-spec.ts'

/**
 * Options that change nothing but how much a command prints or how it paces itself: names as in the command tables → options.
 * A grant covers a command with these added at its end. `-j=digits` takes a number, joined with or without `=`; `--x=word`
 * takes a plain word after `=`; `*` stands for further operands of a command that only reads. What is not listed is not covered.
 */
const HARMLESS: Readonly<Record<string, string>> = {
  'git/status': '-s --short -b --branch -v --verbose --porcelain --long --show-stash --ahead-behind --no-ahead-behind',
  'git/log git/show git/shortlog':
    '--oneline --stat --graph --decorate --no-decorate --name-only --name-status --shortstat --no-color --abbrev-commit -n=digits --max-count=digits -p --patch --reverse --all *',
  'git/diff': '--stat --shortstat --name-only --name-status --cached --staged --no-color -w --check *',
  'git/branch': '-v -vv --verbose --no-color',
  'git/fetch git/pull': '-v --verbose -q --quiet --progress --no-progress --dry-run --stat --no-stat',
  'git/push': '-v --verbose -q --quiet --progress --no-progress -n --dry-run --porcelain',
  'git/clone': '-v --verbose -q --quiet --progress --no-progress --depth=digits',
  'git/commit': '-v --verbose -q --quiet --dry-run --status --no-status',
  'git/merge git/rebase git/cherry-pick git/revert git/stash/push git/stash/pop': '-q --quiet --stat',
  'git/add git/rm git/mv': '-v --verbose -n --dry-run',
  'npm/install npm/i npm/ci npm/uninstall npm/update npm/audit npm/outdated':
    '-s --silent -q --quiet -d --verbose --no-audit --no-fund --no-progress --ignore-scripts --dry-run --json --loglevel=word',
  'npm/run npm/run-script npm/test npm/t npm/start npm/ls npm/list': '-s --silent -q --quiet -d --loglevel=word --json',
  'pip/install pip/uninstall pip/download pip/list pip/show pip/freeze':
    '-q --quiet -v --verbose --no-input --no-color --disable-pip-version-check --no-cache-dir --progress-bar=word',
  'cargo/build cargo/check cargo/test cargo/clippy cargo/doc cargo/fetch cargo/publish':
    '-q --quiet -v --verbose --color=word -j=digits --jobs=digits --offline --locked --frozen',
  'go/build go/vet go/mod/tidy': '-v -x',
  'make gmake': '-j=digits -k -s -n --silent --quiet --dry-run --keep-going',
  'pytest py.test': '-q --quiet -v -vv --verbose -x --tb=word --color=word --maxfail=digits',
  'tsc tsgo': '--noEmit --pretty --listFiles --diagnostics',
  'eslint biome prettier': '--quiet --no-color --color --max-warnings=digits --check',
  'rm rmdir': '-v --verbose -i -I',
  'cp mv': '-v --verbose -i -n --no-clobber',
  'ln mkdir chmod': '-v --verbose',
  curl: '-s --silent -S --show-error -v --verbose -f --fail --compressed --no-progress-meter',
  wget: '-q --quiet -nv --no-verbose -v --verbose --no-clobber',
  'ls tree du df stat file wc cat head tail grep egrep fgrep rg diff': '*',
}

let lines: ReadonlyMap<string, readonly string[]> | undefined

function findHarmless(name: string): readonly string[] | undefined {
  lines ??= new Map(
    Object.entries(HARMLESS).flatMap(([names, line]) =>
      names.split(' ').map((one): [string, readonly string[]] => [one, line.split(' ')]),
    ),
  )
  return lines.get(name)
}

/** Returns the options that may follow a command, as patterns of HARMLESS; undefined when nothing may. */
export function harmlessAfter(argv: readonly string[]): readonly string[] | undefined {
  // After `--` every word is an operand.
  if (argv.includes('--')) return undefined
  const name = knownName(argv[0] ?? '')
  if (name === undefined || name !== argv[0]) return undefined
  const [first = '', second = ''] = argv.slice(1)
  if (findSpec(name)?.subcommands !== true) return findHarmless(name)
  return findHarmless(`${name}/${first}/${second}`) ?? findHarmless(`${name}/${first}`)
}

/** True when a command is the granted one: the same words, and after them only what is known to be harmless. */
export function isCovered(argv: readonly string[], granted: readonly string[]): boolean {
  if (granted.length === 0 || !granted.every((word, index) => word === argv[index])) return false
  const added = argv.slice(granted.length)
  if (added.length === 0) return true
  const harmless = harmlessAfter(granted)
  if (harmless === undefined) return false
  const isLong = findSpec(granted[0] ?? '')?.long === true
  return added.every((word) => isHarmless(word, harmless) || (!isLong && areFlags(word, harmless)))
}

function isHarmless(word: string, harmless: readonly string[]): boolean {
  if (!word.startsWith('-')) return harmless.includes('*') && isInsideOperand(word)
  return harmless.some((option) => {
    const [name = '', value] = option.split('=')
    if (value === undefined) return word === name
    if (!word.startsWith(name) || word === name) return false
    const given = word.slice(name.length).replace(/^=/, '')
    return value === 'digits' ? /^\d{1,4}$/.test(given) : word[name.length] === '=' && /^[a-z]+$/.test(given)
  })
}

/** True for joined flags, as in `-qv`, each of which is harmless. */
function areFlags(word: string, harmless: readonly string[]): boolean {
  return /^-[a-zA-Z]{2,}$/.test(word) && [...word.slice(1)].every((letter) => harmless.includes(`-${letter}`))
}

/** True for an operand that cannot leave the folder of the command. */
function isInsideOperand(word: string): boolean {
  return word !== '' && !/^[~/]|(^|\/)\.\.(\/|$)|:/.test(word)
}
