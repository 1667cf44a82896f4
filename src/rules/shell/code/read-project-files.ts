import { runText } from '../run/run-text.ts'
import { act, directory, NO_OUTPUT, newShell, type ShellState } from '../shell-state.ts'
import { readCode } from './read-code.ts'
import { readMakeCode } from './read-make-code.ts'

const MAKEFILE = /^(GNU)?makefile$/i
/** Files of code that build tools and test runners load by their names. */
const LOADED =
  /^(justfile|rakefile|gemfile|gulpfile\.\w+|gruntfile\.\w+|(conftest|setup|noxfile|tasks|dodo)\.py|build\.(rs|gradle|gradle\.kts|xml)|[\w.-]+\.config\.[cm]?[jt]s|\.\w+rc\.c?js)$/i

/** Reads the code that a build tool loads from its folder, if this command line wrote it. */
export function readProjectFiles(state: ShellState, name: string): undefined {
  const folder = `${directory(state)}/`
  for (const [path, text] of state.files.entries()) {
    // A project script may start the same tool again.
    if (!path.startsWith(folder) || state.calls.includes(path)) continue
    const inner = { ...state, calls: [...state.calls, path], depth: state.depth + 1 }
    const file = path.slice(folder.length)
    if (MAKEFILE.test(file)) {
      readMakeCode(inner, text)
      act(state, 'unknown-command', `${name} given its ${file}`)
    } else if (file === 'package.json') readPackageScripts(inner, text)
    else if (LOADED.test(file)) readCode(inner, name, text)
  }
}

function readPackageScripts(state: ShellState, text: string): undefined {
  const scripts = /"scripts"\s*:\s*\{([^}]*)\}/.exec(text)?.[1] ?? ''
  for (const [, script = ''] of scripts.matchAll(/:\s*"((?:\\.|[^"\\])*)"/g))
    runText(newShell(state), script.replace(/\\(.)/g, '$1'), NO_OUTPUT)
}
