import { formatText, unescapeText } from './format-text.ts'
import { isConstant, isGlob, isOpen, MARKS } from './marks.ts'
import { spend } from './shell-budget.ts'
import { directory, type Output, type ShellState } from './shell-state.ts'
import { resolveWord } from './touch-path.ts'

interface Ran {
  readonly name: string
  readonly words: readonly string[]
  readonly input: Output
}

/** Commands that print one word without a slash. */
const WORDS = new Set([
  'date',
  'whoami',
  'hostname',
  'uname',
  'nproc',
  'id',
  'arch',
  'wc',
  'logname',
  'git/describe',
  'openssl/rand',
  'uuidgen',
])
const SILENT = new Set([
  'true',
  'false',
  ':',
  'mkdir',
  'touch',
  'rm',
  'cp',
  'mv',
  'ln',
  'sleep',
  'chmod',
  'shopt',
  'exit',
  'return',
  'shift',
  'break',
  'continue',
  'umask',
  'ulimit',
  'wait',
  'install',
  'truncate',
  'clear',
])
const PASSING = new Set([
  'head',
  'tail',
  'sort',
  'uniq',
  'grep',
  'egrep',
  'fgrep',
  'tac',
  'shuf',
  'nl',
  'pv',
  'sponge',
  'column',
  'fmt',
  'fold',
  'less',
  'more',
])
const LISTING = new Set(['tree', 'rg', 'git/ls-files', 'fd', 'fdfind', 'git/diff', 'git/grep', 'ag', 'du'])
const NETWORK = new Set([
  'curl',
  'wget',
  'http',
  'https',
  'xh',
  'nc',
  'ncat',
  'netcat',
  'socat',
  'telnet',
  'ssh',
  'lynx',
  'w3m',
  'links',
  'aria2c',
  'dig',
  'nslookup',
  'host',
  'ftp',
  'openssl/s_client',
])
const DECODERS: Readonly<Record<string, (text: string) => string>> = {
  rev: (text) =>
    text
      .split('\n')
      .map((line) => [...line].reverse().join(''))
      .join('\n'),
  base64: (text) => Buffer.from(text.replace(/\s/g, ''), 'base64').toString('latin1'),
  base32: (text) => base32Text(text),
  xxd: (text) => Buffer.from(text.replace(/[^0-9a-fA-F]/g, ''), 'hex').toString('latin1'),
}

/** What a command prints, as far as it matters to whoever runs or names it. */
export function predictOutput(state: ShellState, ran: Ran): Output {
  const text = textOf(state, ran)
  spend(state.budget, 'characters', text.length)
  return { text, endless: isEndless(state, ran) }
}

function isEndless(state: ShellState, { name, words, input }: Ran): boolean {
  if (name === 'yes') return true
  if (name === 'head' || words.some((word) => word.startsWith('count='))) return false
  return input.endless || words.some((word) => /^\/dev\/(zero|u?random|full)$/.test(resolveWord(state, word)))
}

function textOf(state: ShellState, ran: Ran): string {
  const { name, words, input } = ran
  const operands = words.filter((word) => !word.startsWith('-'))
  if (name === 'echo') return echoText(words)
  if (name === 'printf') return formatText(words[0] ?? '', words.slice(1))
  if (name === 'pwd') return `${directory(state)}\n`
  if (SILENT.has(name)) return ''
  if (name === 'mktemp') return `/tmp/tmp.${MARKS.star}\n`
  if (WORDS.has(name) || (name === 'git/rev-parse' && !words.some((word) => /dir|toplevel|path/.test(word))))
    return `${MARKS.star}\n`
  if (NETWORK.has(name)) return MARKS.network
  if (name === 'cat' || name === 'tee')
    return operands.length === 0 || name === 'tee' ? input.text : fileTexts(state, operands, input)
  if (name === 'yes') return `${operands.join(' ') || 'y'}\n`
  if (name === 'ls') return listText(words, operands)
  if (name === 'which' || name === 'command' || name === 'type')
    return operands.map((operand) => `/usr/bin/${operand}\n`).join('')
  if (name === 'realpath' || name === 'readlink')
    return operands.map((operand) => `${resolveWord(state, operand)}\n`).join('')
  if (name === 'git/rev-parse' && words.includes('--show-toplevel')) return `${state.place.workspace}\n`
  if (LISTING.has(name)) return `./${MARKS.deep}\n`
  if (name === 'basename' || name === 'dirname') return pathPart(name, operands)
  if (PASSING.has(name)) return passed(state, ran, operands)
  const source = sourceText(state, ran, operands)
  if (source === undefined) return /awk$/.test(name) && operands.length === 1 ? MARKS.hidden : MARKS.unknown
  if (name === 'tr') return translate(source, words)
  const decode = decoderOf(name, words)
  if (decode !== undefined) return isConstant(source) ? decode(source) : keepSource(source)
  return isConstant(source) && source !== '' ? MARKS.hidden : keepSource(source)
}

/** The output of an unknown filter is unknown; what came from the network still does. */
function keepSource(source: string): string {
  return source.includes(MARKS.network) ? MARKS.network : MARKS.unknown
}

function echoText(words: readonly string[]): string {
  const start = words.findIndex((word) => !/^-[neE]+$/.test(word))
  const flags = (start < 0 ? words : words.slice(0, start)).join('')
  const text = start < 0 ? '' : words.slice(start).join(' ')
  return (flags.includes('e') ? unescapeText(text) : text) + (flags.includes('n') ? '' : '\n')
}

/** `ls` prints the operands it is given as globs or with `-d`, and otherwise names below them. */
function listText(words: readonly string[], operands: readonly string[]): string {
  const isPlain = words.some((word) => /^-\w*d/.test(word)) || operands.some(isGlob)
  return isPlain ? operands.map((operand) => `${operand}\n`).join('') : `./${MARKS.deep}\n`
}

function fileTexts(state: ShellState, operands: readonly string[], input: Output): string {
  return operands
    .map((word) =>
      word === '-' || word === '/dev/stdin' ? input.text : (state.files.get(resolveWord(state, word)) ?? MARKS.unknown),
    )
    .join('')
}

function pathPart(name: string, [path = '', suffix = '']: readonly string[]): string {
  const trimmed = path.replace(/\/+$/, '')
  const slash = trimmed.lastIndexOf('/')
  if (name === 'basename') return `${trimmed.slice(slash + 1).replace(suffix, '')}\n`
  return `${slash < 0 ? '.' : trimmed.slice(0, slash) || '/'}\n`
}

/** Filters that only choose among lines: whatever went in may come out. */
function passed(state: ShellState, { name, words, input }: Ran, operands: readonly string[]): string {
  if (/grep/.test(name) && words.some((word) => /^-\w*[lL]/.test(word))) return `./${MARKS.deep}\n`
  if (words.some((word) => /^-c|^--bytes/.test(word)) && isConstant(input.text) && input.text !== '')
    return MARKS.hidden
  if (input.text !== '') return input.text
  const file = operands.at(-1)
  return file === undefined ? '' : (state.files.get(resolveWord(state, file)) ?? MARKS.unknown)
}

/** What a filter reads: its input, or a file this command line wrote. */
function sourceText(state: ShellState, { name, input }: Ran, operands: readonly string[]): string | undefined {
  const file = name === 'tr' || name === 'sed' || name === 'awk' ? undefined : operands.at(-1)
  const known = file === undefined ? undefined : state.files.get(resolveWord(state, file))
  return known ?? (input.text === '' ? undefined : input.text)
}

function decoderOf(name: string, words: readonly string[]): ((text: string) => string) | undefined {
  if (name === 'rev') return DECODERS.rev
  if (name === 'xxd') return words.some((word) => /^-\w*r/.test(word)) ? DECODERS.xxd : undefined
  if (name === 'base32') return DECODERS.base32
  if (name !== 'base64' && name !== 'openssl/base64' && name !== 'openssl') return undefined
  return words.some((word) => /^(-d|-D|--decode|-\w*d\w*)$/.test(word)) ? DECODERS.base64 : undefined
}

function base32Text(text: string): string {
  const bits = [...text.replace(/[^A-Z2-7]/g, '')]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return (bits.match(/.{8}/g) ?? []).map((byte) => String.fromCharCode(Number.parseInt(byte, 2))).join('')
}

/** `tr` over constants; classes and options it does not compute hide the text. */
function translate(text: string, words: readonly string[]): string {
  const flags = words.filter((word) => /^-[a-zA-Z]+$/.test(word)).join('')
  const [from = '', to = ''] = words
    .filter((word) => !/^-[a-zA-Z]+$|^--/.test(word))
    .map(unescapeText)
    .map(setMembers)
  if (from.includes('[:') || /[cC]/.test(flags)) return isOpen(text) ? keepSource(text) : MARKS.hidden
  if (flags.includes('d')) return [...text].filter((character) => !from.includes(character)).join('')
  const last = to.at(-1) ?? ''
  return [...text]
    .map((character) => {
      const at = from.lastIndexOf(character)
      return at < 0 ? character : to.charAt(at) || last
    })
    .join('')
}

function setMembers(set: string): string {
  return set.replace(/(.)-(.)/gs, (whole, from: string, to: string) => {
    const [low, high] = [from.charCodeAt(0), to.charCodeAt(0)]
    if (high < low || high - low > 255) return whole
    return Array.from({ length: high - low + 1 }, (_, index) => String.fromCharCode(low + index)).join('')
  })
}
