import { readCode } from '../code/read-code.ts'
import { globExpression, isGlob, isOpen, MARKS } from '../marks.ts'
import { setVariable } from '../scope.ts'
import { act, NO_OUTPUT, newShell, type Output, type ShellState } from '../shell-state.ts'
import { resolveWord, touchPath } from '../touch-path.ts'
import { noteSource, runText } from './run-text.ts'

interface FileRun {
  readonly path: string
  readonly words: readonly string[]
  readonly input: Output
  /** `shell`, `program` (its first line decides), or the interpreter's name. */
  readonly language: string
  /** True when it runs in the current shell. */
  readonly sourced?: boolean
}

/** Haft as an installed package or by its own name. */
const HAFT_FILE = /(^|\/)node_modules\/(\.bin\/)?haft(\/|$)|(^|\/)haft$/

/** Reads a file that is run: its text if this command line wrote it, otherwise only records that it runs. */
export function runFile(state: ShellState, run: FileRun): Output {
  if (/^https?:\/\//.test(run.path)) act(state, 'download-run', run.path)
  if (/^(npm|jsr):/.test(run.path)) act(state, 'install', run.path)
  if (run.path.startsWith('data:')) readDataUrl(state, run)
  if (HAFT_FILE.test(run.path)) act(state, 'haft', run.path)
  const path = resolveWord(state, run.path)
  const isInput = /^\/dev\/(stdin|fd\/0)$|^\/proc\/self\/fd\/0$/.test(path)
  const text = isInput ? run.input.text : writtenText(state, path.replace(/^\/proc\/self\/fd/, '/dev/fd'))
  if (text === undefined) {
    touchPath(state, 'executes', run.path)
    return { text: MARKS.unknown, endless: false }
  }
  const interpreter = /^#!.*?(\w+)[\d.]*\s*$/m.exec(text.split('\n', 1)[0] ?? '')?.[1] ?? 'sh'
  const language = run.language === 'program' ? interpreter : run.language
  if (language !== 'shell' && !/sh$/.test(language)) {
    if (isOpen(text)) noteSource(state, text)
    readCode(state, language, text)
    return { text: MARKS.unknown, endless: false }
  }
  const inner = run.sourced === true ? { ...state, depth: state.depth + 1 } : newShell(state)
  if (run.words.length > 0 || run.sourced !== true) setVariable(inner.scope, '@', { value: run.words, array: true })
  return runText(inner, text, run.input)
}

/** Reads code inside a data URL. */
function readDataUrl(state: ShellState, { path, language }: FileRun): undefined {
  const [, head = '', text = ''] = /^data:([^,]*),?(.*)$/s.exec(path) ?? []
  if (/;base64$/i.test(head)) return act(state, 'hidden', path.slice(0, 120))
  const code = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return readCode(state, language, code)
}

/** Returns what this command line wrote to a path; a glob or a listed name may be any written file. */
function writtenText(state: ShellState, path: string): string | undefined {
  const exact = state.files.get(path)
  if (exact !== undefined || state.files.size === 0 || !isGlob(path)) return exact
  const expression = globExpression(path)
  return state.files.entries().find(([written]) => expression.test(written))?.[1]
}

/** Reads a file that a tool runs or builds, if this command line wrote it, in the tool's language or as shell. */
export function runWritten(state: ShellState, word: string, name: string): undefined {
  if (state.files.size === 0 || state.files.get(resolveWord(state, word)) === undefined) return
  const language = /\.(ba|z|k)?sh$/.test(word) ? 'shell' : name
  runFile(state, { path: word, words: [], input: NO_OUTPUT, language })
}
