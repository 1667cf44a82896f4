import { isRecord } from '../text/json.ts'

/** The scripts that npm, pnpm or yarn run at an install without being asked to. */
const AT_INSTALL = [
  ...['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'],
  ...['pnpm:devPreinstall', 'dependencies', 'predependencies', 'postdependencies'],
]

/** Lists the scripts that an install runs, and those that they mention, each with its command. */
export function listInstallScripts(scripts: unknown): string[] {
  return isRecord(scripts) ? namesAtInstall(scripts).map((name) => `${name} ${JSON.stringify(scripts[name])}`) : []
}

/** Returns a function that tells whether a path, relative to the package, is a file that its install scripts name: `node scripts/setup` names `scripts/setup.js` too. */
export function createInstallFileCheck(scripts: unknown): (path: string) => boolean {
  if (!isRecord(scripts)) return () => false
  const words = namesAtInstall(scripts).flatMap((name) => String(scripts[name]).split(/[\s;&|()<>"'`=]+/))
  const named = new Set(words.map((word) => word.replace(/^(\.\/)+/, '')).filter((word) => /[^./]/.test(word)))
  if (named.size === 0) return () => false
  return (path) => named.has(path) || named.has(path.replace(/(\/index)?\.[cm]?[jt]s$/, ''))
}

function namesAtInstall(scripts: Readonly<Record<string, unknown>>): string[] {
  const run = new Set<string>()
  const add = (name: string): void => {
    if (run.has(name) || !Object.hasOwn(scripts, name)) return
    run.add(name)
    const words = new Set(String(scripts[name]).split(/[^\w:.@-]+/))
    for (const word of words) for (const other of namesOf(word, scripts)) add(other)
  }
  for (const name of AT_INSTALL) add(name)
  return [...run]
}

/** Returns the scripts that a word of a command can mean: that one with what runs before and after it, or, for `build:*`, all that begin so. */
function namesOf(word: string, scripts: Readonly<Record<string, unknown>>): string[] {
  if (word.endsWith(':')) return Object.keys(scripts).filter((name) => name.startsWith(word))
  return [word, `pre${word}`, `post${word}`]
}
