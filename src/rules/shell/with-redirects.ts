import type { Redirection, Word } from 'unbash'
import { expandQuoted, expandText } from './expand/expand-word.ts'
import { isGlob, MARKS } from './marks.ts'
import { act, NO_OUTPUT, note, type Output, type ShellState, writeText } from './shell-state.ts'
import { resolveWord, touchPath } from './touch-path.ts'

interface Redirects {
  readonly redirects: readonly Redirection[]
  readonly input: Output
}

/** Runs a command with its redirections: its input, and the files that receive its output. */
export function withRedirects(state: ShellState, given: Redirects, run: (input: Output) => Output): Output {
  let input = given.input
  let target: string | undefined
  let printed = true
  for (const redirect of given.redirects) {
    const descriptor = redirect.descriptor?.type === 'FileDescriptor' ? redirect.descriptor.value : undefined
    const opened = open(state, redirect)
    if (opened.text !== undefined) {
      state.files.set(`/dev/fd/${descriptor ?? 0}`, opened.text)
      if ((descriptor ?? 0) === 0)
        input = { text: opened.text, endless: opened.endless === true, ...(opened.from && { path: opened.from }) }
    }
    if (opened.path !== undefined && (descriptor ?? 1) === 1) {
      target = opened.path
      printed = false
    }
  }
  const output = run(input)
  if (target !== undefined) keepFile(state, target, output)
  return printed ? output : NO_OUTPUT
}

interface Opened {
  /** The input. */
  readonly text?: string
  /** The files that receive the output. */
  readonly path?: string
  readonly endless?: boolean
  /** The file that the input is read from. */
  readonly from?: string
}

function open(state: ShellState, redirect: Redirection): Opened {
  if (redirect.type === 'HereDoc') {
    const { body, delimiter } = redirect
    if (delimiter?.quoted === true) return { text: body.text }
    return { text: body.parts ? expandQuoted(state, body.parts) : unescapeBody(body.text) }
  }
  const word = redirect.target === undefined ? '' : expandText(state, redirect.target)
  if (redirect.type === 'HereString') return { text: `${word}\n` }
  const { operator } = redirect
  if (operator === '<&' || operator === '>&') {
    if (/^\d*-?$/.test(word))
      return operator === '<&' ? { text: state.files.get(`/dev/fd/${word}`) ?? MARKS.unknown } : {}
    if (operator === '<&') return { text: MARKS.unknown }
  }
  const path = resolveWord(state, word)
  if (/^\/dev\/(tcp|udp)\//.test(path)) return openSocket(state, path)
  if (operator === '<') {
    touchPath(state, 'reads', word)
    const text = path === '/dev/null' ? '' : (state.files.get(path) ?? MARKS.unknown)
    return { text, endless: /^\/dev\/(zero|u?random|full)$/.test(path), from: path }
  }
  if (operator === '<>') touchPath(state, 'reads', word)
  touchPath(state, 'writes', word)
  // Writing over each of many files erases them; a name built from theirs is another file.
  if (operator !== '>>' && operator !== '&>>' && isGlob(word) && isExpansion(redirect.target))
    touchPath(state, 'deletes', word)
  return { path }
}

/** True for a word that consists of one variable. */
function isExpansion(word: Word | undefined): boolean {
  const [first, ...others] = word?.parts ?? []
  if (first === undefined || others.length > 0) return false
  const [part = first, ...rest] = first.type === 'DoubleQuoted' ? first.parts : []
  return rest.length === 0 && (part.type === 'SimpleExpansion' || part.type === 'ParameterExpansion')
}

/** Expands an unquoted heredoc, where a backslash still escapes `$`, a backtick and itself, and joins lines. */
function unescapeBody(text: string): string {
  return text.replace(/\\([$`\\\n])/g, (_, guarded: string) => (guarded === '\n' ? '' : guarded))
}

function openSocket(state: ShellState, path: string): Opened {
  const [, , , host = '', port = ''] = path.split('/')
  note(state, { kind: 'connects', host, port })
  act(state, 'raw-socket', path)
  return { text: MARKS.network, path }
}

function keepFile(state: ShellState, path: string, output: Output): void {
  if (output.endless && !path.startsWith('/dev/')) act(state, 'flood', `${path} without end`)
  const before = state.files.get(path)
  writeText(state, path, before === undefined ? output.text : `${before}\n${output.text}`)
}
