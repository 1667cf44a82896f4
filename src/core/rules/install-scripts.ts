import { isRecord } from '../text/json.ts'

/** The scripts that npm, pnpm or yarn run at an install without being asked to. */
const AT_INSTALL = [
  ...['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'],
  ...['pnpm:devPreinstall', 'dependencies', 'predependencies', 'postdependencies'],
]

/** Lists the scripts that an install runs, and those that they mention, each with its command. */
export function listInstallScripts(scripts: unknown): string[] {
  if (!isRecord(scripts)) return []
  const run = new Set<string>()
  const add = (name: string): void => {
    if (run.has(name) || !Object.hasOwn(scripts, name)) return
    run.add(name)
    const words = new Set(String(scripts[name]).split(/[^\w:.@-]+/))
    for (const word of words) for (const other of namesOf(word, scripts)) add(other)
  }
  for (const name of AT_INSTALL) add(name)
  return [...run].map((name) => `${name} ${JSON.stringify(scripts[name])}`)
}

/** Returns the scripts that a word of a command can mean: that one with what runs before and after it, or, for `build:*`, all that begin so. */
function namesOf(word: string, scripts: Readonly<Record<string, unknown>>): string[] {
  if (word.endsWith(':')) return Object.keys(scripts).filter((name) => name.startsWith(word))
  return [word, `pre${word}`, `post${word}`]
}
