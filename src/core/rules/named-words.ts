/** What a script names. */
export interface NamedPaths {
  /** Paths from the folder that the script runs in, without the endings of modules. */
  readonly paths: readonly string[]
  /** Ends of paths, where the folder is not known: after `cd`, or in a variable. */
  readonly ends: readonly string[]
  /** Patterns of paths that a loop runs one by one. */
  readonly patterns: readonly RegExp[]
}

/** Endings of programs and of what sets variables; a hook that only mentions a document does not run it. */
const PROGRAM =
  /(^|\/)[^./][^/.]*$|\.(sh|bash|zsh|fish|py|rb|pl|php|lua|nix|awk|ps1|exs?|mk|mak)$|\.[cm]?[jt]sx?$|(^|\/)\.env[\w.-]*$/

/** Files that these programs read without their names. */
const READ_UNNAMED: readonly (readonly [program: RegExp, names: readonly string[]])[] = [
  [/(?:^|[\s;&|(])(?:g?make|gmake)(?=[\s;&|)]|$)/m, ['Makefile', 'makefile', 'GNUmakefile']],
  [/(?:^|[\s;&|(])just(?=[\s;&|)]|$)/m, ['justfile', 'Justfile', '.justfile']],
  [/(?:^|[\s;&|(])task\s+\w/m, ['Taskfile.yml', 'Taskfile.yaml', 'Taskfile.dist.yml']],
  [/(?:^|[\s;&|(])rake(?=[\s;&|)]|$)/m, ['Rakefile', 'rakefile', 'Rakefile.rb']],
]

/** Lists what a script names: programs by their paths, modules of Python, the files that make and its like read, and what loops run. */
export function listNamedPaths(text: string): NamedPaths {
  const code = text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
  const words = code.split(/[\s;&|()<>"'`=,[\]{}]+/)
  const isElsewhere = /(?:^|[\s;&|(])(?:cd|pushd)\s/m.test(code)
  const named = words.flatMap((word) => nameOf(word, isElsewhere))
  const modules = listModules(code)
  const unnamed = READ_UNNAMED.flatMap(([program, names]) => (program.test(code) ? names : []))
  return {
    paths: [...named.flatMap(({ path }) => path ?? []), ...modules, ...unnamed],
    ends: [...named.flatMap(({ end }) => end ?? []), ...(isElsewhere ? [...modules, ...unnamed] : [])],
    patterns: listLoops(code),
  }
}

const STARTED = /\bpython[\d.]*\s+-m\s+([\w.]+)/g
const IMPORTED = /^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import\b|import[ \t]+([\w.]+(?:[ \t]*,[ \t]*[\w.]+)*)[ \t;]*$)/gm

/** Returns where the modules of Python would be that are started or imported. */
function listModules(code: string): string[] {
  const started = [...code.matchAll(STARTED)].map(([, name = '']) => name)
  const imported = [...code.matchAll(IMPORTED)].flatMap(([, from = '', list = '']) => [from, ...list.split(/[ \t,]+/)])
  const names = [...started, ...imported].map((name) => name.replace(/^\.+/, '')).filter((name) => name !== '')
  return [...new Set(names)].flatMap((name) => {
    const path = name.replaceAll('.', '/')
    return [`${path}.py`, `${path}/__main__.py`, `${path}/__init__.py`]
  })
}

/** Reads a word. One without a slash or an ending is a command of the system. */
function nameOf(word: string, isElsewhere: boolean): { path?: string; end?: string }[] {
  const plain = word.replace(/^\$\w+/, '')
  const path = plain.replace(/^(\.{0,2}\/)+/, '')
  if (!PROGRAM.test(path) || !/[./]/.test(plain)) return []
  // A slash that begins what is left stood behind a variable or a quoted part.
  const isAfterVariable = plain.startsWith('/')
  return [{ path, ...((isElsewhere || isAfterVariable) && { end: path }) }]
}

/** Returns the patterns of loops whose entries are run: `for f in hooks.d/*; do . "$f"; done`. */
function listLoops(code: string): RegExp[] {
  const loops = code.matchAll(/\bfor\s+(\w+)\s+in\s+([^;\n]+)/g)
  return [...loops].flatMap(([, name = '', list = '']) => {
    const runs = new RegExp(
      `(?:^|[;&|\\n]|\\b(?:do|then|exec|source|sh|bash|zsh|node|ruby|perl|python[\\d.]*)\\b|\\s\\.)\\s*["']?\\$\\{?${name}\\b`,
      'm',
    )
    if (!runs.test(code)) return []
    return list
      .split(/["'\s]+/)
      .filter((word) => word.includes('*') && !/^\*+$/.test(word))
      .map((word) => patternOf(word.replace(/^\$\w+/, '').replace(/^(\.{0,2}\/)+/, '')))
  })
}

function patternOf(glob: string): RegExp {
  const source = glob.replace(/[.+^${}()|[\]\\?]/g, '\\$&').replace(/\*+/g, '.*')
  return new RegExp(`(?:^|/)${source}$`)
}
