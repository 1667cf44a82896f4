import { insidePath } from '../../../core/text/paths.ts'
import { readGitSetting } from '../code/read-git-setting.ts'
import { isConstant, isGlob, isOpen } from '../marks.ts'
import { readEnvironment } from '../run/read-environment.ts'
import { runWritten } from '../run/run-file.ts'
import { runChosen, runText } from '../run/run-text.ts'
import { act, changeDirectory, NO_OUTPUT, newShell, type ShellState, wrapped } from '../shell-state.ts'
import { everyday, resolveWord, touchPath } from '../touch-path.ts'
import { findSpec } from './command-spec.ts'
import { PATH_ROLES } from './path-roles.ts'
import type { RoleReader } from './role.ts'

/** Roles that are specific to one tool. */
export const TOOL_ROLES: Readonly<Record<string, RoleReader>> = {
  'git-config': (state, { word }) => {
    const [, key = '', value = 'true'] = /^([^=]*)(?:=(.*))?$/s.exec(word) ?? []
    readGitSetting(state, key, value)
  },
  'git-env': (state, { word }) => act(state, 'injects', word),
  'git-setting': (state, { word, operands, modes }) => {
    const [key = '', value] = operands.filter((operand) => !/^(get|set|list|unset)$/.test(operand))
    if (modes.has('read') || word !== operands[0] || value === undefined) return
    readGitSetting(state, key, value)
  },
  'git-dir': (state, { word }) => {
    if (insidePath(state.location.workspace, resolveWord(state, word)) === undefined)
      act(state, 'injects', `git directory ${word}`)
  },
  /** Another repository has settings and hooks of its own. */
  'git-folder': (state, { word }) => {
    const path = resolveWord(state, word)
    changeDirectory(state, path)
    if (insidePath(state.location.workspace, path) === undefined) act(state, 'injects-own', `git in ${word}`)
  },
  'program-path': (state, { word }) => {
    act(state, 'injects', `programs from ${word}`)
  },
  /** A path or a revision (harmless when read as a path); after a colon, a path in a revision. */
  'git-path': (state, { word }) => {
    if (isConstant(word)) touchPath(state, 'reads', word.slice(word.indexOf(':') + 1))
  },
  'git-add': (state, { word }) => {
    if (/(^|\/)\.env(\.(?!example|sample|template|dist)[\w.-]+)?$|\.(pem|key)$|id_(rsa|ed25519)$/.test(word))
      act(state, 'publish', `git add ${word}`)
  },
  /** Another value for a reference: the commits that it named may be lost. */
  'moved-ref': (state, { word }) => act(state, 'lose-work', `git update-ref ${word}`),
  /** A tool that the settings of git define, unless it is a known one. */
  'merge-tool': (state, { word }) => {
    if (
      !/^(n?vimdiff\d?|gvimdiff\d?|meld|kdiff3|opendiff|bc\d?|emerge|p4merge|code|vscode|tortoisemerge|winmerge)$/.test(
        word,
      )
    )
      act(state, 'injects-own', `git tool ${word}`)
  },
  'node-options': (state, { word }) => {
    readEnvironment(state, 'NODE_OPTIONS', word)
  },
  /** An address to listen on; the machine's own is harmless. */
  listen: (state, { word, name }) => {
    if (!/^(127\.[\d.]+|localhost|\[::1\]|::1)?(:\d+)?$|^\d+$/.test(word)) act(state, 'listen', `${name} on ${word}`)
  },
  /** A variable of a build; programs in it are run. */
  define: (state, { word }) => {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(word) ?? []
    if (/COMPILER|LAUNCHER|LINKER|TOOLCHAIN|PROGRAM|COMMAND/.test(name) && /[/]/.test(value))
      touchPath(state, 'executes', value)
  },
  /** A page of the manual, or a file where an option or a slash says so. */
  'manual-page': (state, { word, modes }) => {
    if (modes.has('files') || word.includes('/')) touchPath(state, 'reads', word)
  },
  checkout: (state, { word, operands, modes }) => {
    const isPath = modes.has('paths') || word === '.' || (operands.length > 1 && operands[0] !== word)
    if (isPath || /[*\uE001]/.test(word)) restoreFiles(state, 'checkout', word)
  },
  restore: (state, { word, modes }) => {
    if (!modes.has('staged')) restoreFiles(state, 'restore', word)
  },
  /** A word of dotnet: subcommands that fetch or publish packages, or code that is built and run. */
  dotnet: (state, argument) => {
    const { word, operands } = argument
    const words = operands.slice(0, 3).join(' ')
    if (word === operands[0] && /^nuget (push|delete)/.test(words)) act(state, 'publish', `dotnet ${words}`)
    else if (
      word === operands[0] &&
      /^(tool (install|update|restore)|new (install|-i)|add( \S+)? package|workload|nuget|script)\b/.test(words)
    )
      act(state, 'install', `dotnet ${words}`)
    return PATH_ROLES.project?.(state, argument)
  },
  'npx-argv': (state, { word, rest, input }) => {
    const name = word.replace(/(.)@[^@/]*$/, '$1')
    const isTool = findSpec(name)?.acts.length === 0 && !isOpen(word)
    if (name === 'haft') act(state, 'haft', word)
    if (isTool) return state.parts.runWords(wrapped(state), [name, ...rest.slice(1)], input)
    return act(state, 'install', `npx ${word}`)
  },
  /** A package that creates a project; without one, only package.json is written. */
  'npm-init': (state, { word }) => act(state, 'install', `npm init ${word}`),
  /** A field of package.json to set; scripts run later. */
  'npm-field': (state, { word }) => {
    const script = /^scripts\.[^=]+=(.*)$/s.exec(word)?.[1]
    if (script !== undefined) runText(newShell(state), script, NO_OUTPUT)
  },
  /** A code generation option of the compiler, which may name the linker. */
  codegen: (state, { word }) => {
    const linker = /^linker=(.*)$/s.exec(word)?.[1]
    if (linker !== undefined) runChosen(newShell(state), linker, word)
  },
  'cargo-config': (state, { word }) => {
    if (/runner|linker|wrapper|registry|source|alias|rustc|^[~/.]/.test(word)) act(state, 'injects', word)
  },
  'cmake-tool': (state, { word, operands }) => {
    state.parts.runWords(
      wrapped(state),
      /^(rm|remove|remove_directory)$/.test(word)
        ? ['rm', '-r', ...operands]
        : [word === 'env' ? 'env' : word === 'copy' || word === 'rename' ? 'cp' : 'nohup', ...operands],
      { text: '', endless: false },
    )
    act(state, 'unknown-command', `cmake -E ${word}`)
  },
  'go-run': (state, { word, name }) => {
    runWritten(state, word, name)
    if (word.includes('@') || /^[\w-]+\.[\w.-]+\//.test(word)) act(state, 'install', `go run ${word}`)
    else if (/^[~/.]/.test(word)) touchPath(state, 'executes', word)
  },
  'bun-run': (state, { word }) => {
    if (/^\w+:\/\//.test(word)) act(state, 'download-run', word)
    else if (/[/.]/.test(word)) touchPath(state, 'executes', word)
  },
  'setting-name': (state, { word }) => {
    if (/token|passw|_auth|secret/i.test(word)) act(state, 'secret-variable', word)
  },
  hostname: (state, { word }) => act(state, 'kernel', `hostname ${word}`),
  ifconfig: (state, { word, operands }) => {
    if (operands.indexOf(word) > 0) act(state, 'kernel', `ifconfig ${operands.join(' ')}`)
  },
  ip: (state, { word, name }) => {
    if (/^(add|del|delete|set|flush|change|replace)$/.test(word)) act(state, 'kernel', `${name} ${word}`)
  },
  sysctl: (state, { word }) => {
    if (word.includes('=')) act(state, 'kernel', `sysctl ${word}`)
  },
  getent: (state, { word, operands }) => {
    if (/^a?hosts/.test(operands[0] ?? '') && word !== operands[0] && !/^(localhost|127\.|::1$)/.test(word))
      act(state, isOpen(word) || isGlob(word) ? 'sends-unknown' : 'network', `getent ${word}`)
    if (word === 'shadow' || word === 'gshadow') touchPath(state, 'reads', '/etc/shadow')
    if (word === 'passwd') touchPath(state, 'reads', '/etc/passwd')
  },
  'container-share': (state, { word }) => {
    if (!/^(none|bridge|private|NET_BIND_SERVICE|container:)/.test(word)) act(state, 'container-root', word)
  },
}

/** Records that files get back what the repository holds, and lose what was changed since. */
function restoreFiles(state: ShellState, command: string, word: string): undefined {
  act(state, 'lose-work', `git ${command} ${word}`)
  touchPath(everyday(state), 'writes', word, true)
}
