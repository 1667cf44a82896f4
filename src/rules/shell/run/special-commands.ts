import { readInput, runEnvironment } from '../arguments/code-roles.ts'
import { isForeignPath } from '../arguments/read-loose-paths.ts'
import { isConstant } from '../marks.ts'
import {
  act,
  asZsh,
  changeDirectory,
  NO_OUTPUT,
  newShell,
  type Output,
  type ShellState,
  subshell,
  writeText,
} from '../shell-state.ts'
import { BLANK_FILE, everyday, resolveWord, touchPath } from '../touch-path.ts'
import { testPaths } from './builtins.ts'
import { runFind } from './run-find.ts'
import { runInterpreter } from './run-interpreter.ts'
import { runPatch } from './run-patch.ts'
import { runShell } from './run-shell.ts'
import { runTar } from './run-tar.ts'
import { runText } from './run-text.ts'
import { runParallel, runXargs } from './run-xargs.ts'

type Special = (state: ShellState, words: readonly string[], input: Output) => Output | undefined

const SHELLS = 'sh bash dash zsh ksh mksh ash rbash fish csh tcsh yash'
const INTERPRETERS =
  'python pypy ipython node nodejs tsx ts-node perl ruby php lua luajit R Rscript julia osascript tclsh wish expect guile racket octave'

/** Commands with their own argument grammar. */
export const SPECIAL_COMMANDS: Readonly<Record<string, Special>> = {
  ...Object.fromEntries(SHELLS.split(' ').map((name): [string, Special] => [name, runShell])),
  ...Object.fromEntries(
    INTERPRETERS.split(' ').map((name): [string, Special] => [
      name,
      (state, words, input) => runInterpreter(state, { name, words, input, readInput }),
    ]),
  ),
  zsh: (state, words, input) => runShell(asZsh(state), words, input),
  find: runFind,
  gfind: runFind,
  fd: runFind,
  fdfind: runFind,
  xargs: runXargs,
  gxargs: runXargs,
  parallel: runParallel,
  patch: runPatch,
  gpatch: runPatch,
  tar: runTar,
  bsdtar: runTar,
  env: runEnv,
  genv: runEnv,
  'cross-env': runEnv,
  dotenv: runEnv,
  test: testPaths,
  '[': testPaths,
  chmod: runChmod,
  dd: runDd,
  ps: (state, words) => {
    if (words.some((word) => /^[a-zA-Z]*[eE][a-zA-Z]*$/.test(word) || word === '-E'))
      act(state, 'environment', 'the variables of processes')
    return undefined
  },
  printenv: (state, words) => {
    if (words.every((word) => word.startsWith('-'))) act(state, 'environment', 'all variables')
    for (const word of words) if (/SECRET|TOKEN|PASSW|KEY|CREDENTIAL/i.test(word)) act(state, 'secret-variable', word)
    return undefined
  },
  kill: runKill,
  pkill: runKillByName,
  killall: runKillByName,
  killall5: runKillByName,
  skill: runKillByName,
  slay: runKillByName,
  xkill: runKillByName,
  crontab: runCrontab,
  at: runAt,
  batch: runAt,
}

function runEnv(state: ShellState, words: readonly string[], input: Output): Output | undefined {
  const inner = subshell(state)
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const split = /^(?:-\w*S|--split-string=?)(.*)$/s.exec(word)
    if (split) {
      // Only the first word is split; later ones stay unchanged.
      const [text = '', ...rest] = split[1] === '' ? words.slice(at + 1) : [split[1] ?? '', ...words.slice(at + 1)]
      return runText(inner, ['env', text, ...rest.map(quoted)].join(' '), input)
    }
    const folder = /^(?:-C|--chdir=?)(.*)$/s.exec(word)?.[1]
    if (folder !== undefined) changeDirectory(inner, resolveWord(inner, folder === '' ? (words[++at] ?? '') : folder))
    else if (/^(-f|-e|--env-file)$/.test(word)) {
      if (isForeignPath(inner, words[++at] ?? '')) touchPath(inner, 'executes', words[at] ?? '')
    } else if (/^(-u|--unset|-P)$/.test(word)) at++
    else if (word === '--' || !word.startsWith('-')) {
      const rest = words.slice(word === '--' ? at + 1 : at)
      const isBare = rest.every((one) => /^[A-Za-z_][^=\s]*=/.test(one))
      if (isBare) act(state, 'environment', 'all variables')
      return runEnvironment(inner, rest, input)
    }
  }
  act(state, 'environment', 'all variables')
  return undefined
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

function sizeOf(text: string): number {
  const [, digits = '0', unit = ''] = /^(\d+)([a-zA-Z]?)/.exec(text) ?? []
  return Number(digits) * 1024 ** Math.max(0, ' KMGTPE'.indexOf(unit.toUpperCase()))
}

function runDd(state: ShellState, words: readonly string[], input: Output): Output | undefined {
  const values = new Map(
    words.map((word): [string, string] => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
  )
  const [source, target] = [values.get('if'), values.get('of')]
  if (source !== undefined) touchPath(state, 'reads', source)
  if (target === undefined) return undefined
  touchPath(state, 'writes', target)
  if (source !== undefined && BLANK_FILE.test(source)) touchPath(state, 'deletes', target)
  const isEndless = source === undefined ? input.endless : /^\/dev\/(zero|u?random|full)$/.test(source)
  const bytes = sizeOf(values.get('bs') ?? '512') * sizeOf(values.get('count') ?? '1')
  if (bytes > 10_000_000_000) act(state, 'flood', `${target}, ${bytes} bytes`)
  if (isEndless && !values.has('count') && !target.startsWith('/dev/')) act(state, 'flood', `${target} without end`)
  if (source === undefined) writeText(state, resolveWord(state, target), input.text)
  return NO_OUTPUT
}

/** `chmod -x file` has a mode that looks like an option. */
function runChmod(state: ShellState, words: readonly string[]): Output {
  const isTree = words.some((word) => /^-\w*R|^--recursive$/.test(word))
  const modes = words.filter(
    (word, index) =>
      /^-[rwxXst]+$/.test(word) || (!word.startsWith('-') && words.findIndex((one) => !one.startsWith('-')) === index),
  )
  const isLike = words.some((word) => word.startsWith('--reference'))
  const mode = isLike ? '' : (modes[0] ?? '')
  if (
    isTree &&
    /^0?[0-7]?(777|666|000)$|^(a|ugo|o|go)?[-+=][rwx]*$/.test(mode) &&
    words.some((word) => resolveWord(state, word) === state.location.workspace)
  )
    act(state, 'attributes', `chmod ${words.join(' ')}`)
  if (/^0{1,4}$|^a?(-rwx|=)$/.test(mode)) act(state, 'attributes', `chmod ${words.join(' ')}`)
  if (/^[0-7]?[2467][0-7]{3}$/.test(mode) || /[ugoa]*[+=][rwxX]*s/.test(mode))
    act(state, 'privilege-bit', `chmod ${words.join(' ')}`)
  for (const word of words)
    if (word !== mode && !word.startsWith('-')) touchPath(everyday(state), 'writes', word, isTree)
  return NO_OUTPUT
}

function runKill(state: ShellState, words: readonly string[]): Output {
  if (/^(-0|-l|-L|--list|--table)$/.test(words[0] ?? '') || (words[0] === '-s' && words[1] === '0')) return NO_OUTPUT
  const isSignal = /^-([A-Za-z]|\d+$)/.test(words[0] ?? '') && words.length > 1
  const named = /^-[sn]$/.test(words[0] ?? '') ? 2 : isSignal ? 1 : 0
  for (const target of words.slice(named)) {
    if (target === '--') continue
    if (/^(-1|0|1|-0)$/.test(target)) act(state, 'kill-all', `kill ${words.join(' ')}`)
    else if (!target.startsWith('%')) act(state, 'kill', `kill ${words.join(' ')}`)
  }
  return NO_OUTPUT
}

function runKillByName(state: ShellState, words: readonly string[]): Output {
  if (words.every((word) => /^(-l|--list)$/.test(word)) && words.length > 0) return NO_OUTPUT
  const isByOwner = words.some((word) => /^-\w*[uUgGst]$|^--(u?euid|uid|user|group|session|terminal)/.test(word))
  const patterns = words.filter((word) => !word.startsWith('-'))
  const isAll = patterns.some((word) => /^[.^$*]*$/.test(word)) || patterns.length === 0
  act(state, isByOwner || isAll ? 'kill-all' : 'kill', words.join(' '))
  return NO_OUTPUT
}

function runCrontab(state: ShellState, words: readonly string[], input: Output): Output | undefined {
  if (words.includes('-l')) return undefined
  act(state, 'persist', `crontab ${words.join(' ')}`)
  if (isConstant(input.text))
    for (const line of input.text.split('\n'))
      runText(newShell(state), line.replace(/^(@\w+|(\S+\s+){5})/, ''), NO_OUTPUT)
  return NO_OUTPUT
}

function runAt(state: ShellState, words: readonly string[], input: Output): Output {
  if (words.some((word) => /^-[lqV]$/.test(word))) return NO_OUTPUT
  act(state, 'persist', `at ${words.join(' ')}`)
  return runText(newShell(state), input.text, NO_OUTPUT)
}
