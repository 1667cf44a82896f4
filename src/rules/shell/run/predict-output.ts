import { formatText, unescapeText } from '../expand/format-text.ts'
import { isConstant, isGlob, isOpen, MARKS } from '../marks.ts'
import { spend } from '../shell-budget.ts'
import { directory, type Output, type ShellState } from '../shell-state.ts'
import { PROGRAM_FOLDERS, resolveWord } from '../touch-path.ts'

interface Ran {
  readonly name: string
  readonly words: readonly string[]
  readonly input: Output
}

type Kind = 'silent' | 'word' | 'network' | 'listing' | 'passing' | 'echo'

/** Commands by their output: nothing, one word without a slash, data from the network, paths below, or their input. */
const NAMES: Readonly<Record<Kind, string>> = {
  silent:
    'true false : mkdir touch rm cp mv ln sleep chmod shopt exit return shift break continue umask ulimit wait install truncate clear',
  word: 'date whoami hostname uname nproc id arch wc logname git/describe openssl/rand uuidgen',
  network:
    'curl wget http https xh nc ncat netcat socat telnet ssh lynx w3m links aria2c dig nslookup host ftp openssl/s_client',
  listing: 'tree rg git/ls-files fd fdfind git/diff git/grep ag du',
  passing: 'head tail sort uniq grep egrep fgrep tac shuf nl pv sponge column fmt fold less more',
  echo: 'echo',
}
const KINDS: ReadonlyMap<string, Kind> = new Map(
  // The keys of NAMES are the kinds.
  (Object.keys(NAMES) as Kind[]).flatMap((kind) => NAMES[kind].split(' ').map((name): [string, Kind] => [name, kind])),
)
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

/** Predicts the output of a command as far as it matters when it is run or used as a name. */
export function predictOutput(state: ShellState, ran: Ran): Output {
  const text = textOf(state, ran)
  spend(state.budget, 'characters', text.length)
  return { text, endless: isEndless(state, ran) }
}

/** A quick test for words that may name an endless file; a word with marks may be anything. */
const MAYBE_ENDLESS = /(?:zero|random|full)$|[\uE000-\uE00F]/
const ENDLESS_FILE = /^\/dev\/(zero|u?random|full)$/

function isEndless(state: ShellState, { name, words, input }: Ran): boolean {
  if (name === 'yes' || (name === 'seq' && words.some((word) => /^(inf|infinity|\d{11,}|\d+e\d{2,})$/i.test(word))))
    return true
  const isFed =
    input.endless || words.some((word) => MAYBE_ENDLESS.test(word) && ENDLESS_FILE.test(resolveWord(state, word)))
  return isFed && name !== 'head' && !words.some((word) => word.startsWith('count='))
}

function textOf(state: ShellState, ran: Ran): string {
  const { name, words, input } = ran
  switch (KINDS.get(name)) {
    case 'silent':
      return ''
    case 'word':
      return `${MARKS.star}\n`
    case 'network':
      return MARKS.network
    case 'listing':
      return `./${MARKS.deep}\n`
    case 'passing':
      return passed(state, ran, operandsOf(words))
    case 'echo':
      return echoText(words)
    case undefined:
      break
  }
  const operands = operandsOf(words)
  switch (name) {
    case 'printf':
      return formatText(words[0] ?? '', words.slice(1))
    case 'pwd':
      return `${directory(state)}\n`
    case 'mktemp':
      return `/tmp/tmp.${MARKS.star}\n`
    case 'git/rev-parse':
      if (words.includes('--show-toplevel')) return `${state.location.workspace}\n`
      if (!words.some((word) => /dir|toplevel|path/.test(word))) return `${MARKS.star}\n`
      break
    case 'cat':
      return operands.length === 0 ? input.text : fileTexts(state, operands, input)
    case 'tee':
      return input.text
    case 'yes':
      return `${operands.join(' ') || 'y'}\n`
    case 'ls':
      return listText(words, operands)
    case 'which':
    case 'command':
    case 'type':
      return operands.map((operand) => `/usr/bin/${operand}\n`).join('')
    case 'realpath':
    case 'readlink':
      return operands.map((operand) => `${resolveWord(state, operand)}\n`).join('')
    case 'basename':
    case 'dirname':
      return pathPart(name, operands)
  }
  return filtered(state, ran, operands)
}

function operandsOf(words: readonly string[]): readonly string[] {
  return words.filter((word) => !word.startsWith('-'))
}

/** Predicts the output of a filter from its input. */
function filtered(state: ShellState, ran: Ran, operands: readonly string[]): string {
  const { name, words } = ran
  const source = sourceText(state, ran, operands)
  if (source === undefined) {
    const isConstantOnly = /awk$/.test(name)
      ? operands.length === 1
      : name === 'jq' && words.some((word) => /^-\w*n/.test(word))
    return isConstantOnly ? MARKS.hidden : MARKS.unknown
  }
  if (name === 'tr') return translate(source, words)
  const decode = decoderOf(name, words)
  if (decode !== undefined) return isConstant(source) ? decode(source) : keepSource(source)
  return isConstant(source) && source !== '' ? MARKS.hidden : keepSource(source)
}

/** Returns unknown output for an unknown filter; marks for network data and obfuscated text are kept. */
function keepSource(source: string): string {
  if (source.includes(MARKS.network)) return MARKS.network
  return source.includes(MARKS.hidden) && !source.includes(MARKS.unknown) ? MARKS.hidden : MARKS.unknown
}

function echoText(words: readonly string[]): string {
  const start = words.findIndex((word) => !/^-[neE]+$/.test(word))
  const flags = (start < 0 ? words : words.slice(0, start)).join('')
  const text = start < 0 ? '' : words.slice(start).join(' ')
  return (flags.includes('e') ? unescapeText(text) : text) + (flags.includes('n') ? '' : '\n')
}

/** Predicts `ls`, which prints its operands when they are globs or with `-d`, and otherwise names below them. */
function listText(words: readonly string[], operands: readonly string[]): string {
  const isPlain =
    words.some((word) => /^-\w*d/.test(word)) || operands.some((word) => isGlob(word) || PROGRAM_FOLDERS.test(word))
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

/** Predicts filters that only select lines: any input may come out. */
function passed(state: ShellState, { name, words, input }: Ran, operands: readonly string[]): string {
  if (/grep/.test(name) && words.some((word) => /^-\w*[lL]/.test(word))) return foundFiles(words, operands)
  if (words.some((word) => /^-c|^--bytes/.test(word)) && isConstant(input.text) && input.text !== '')
    return MARKS.hidden
  if (input.text !== '') return input.text
  const file = operands.at(-1)
  return file === undefined ? '' : (state.files.get(resolveWord(state, file)) ?? MARKS.unknown)
}

/** Predicts the file names that a search prints: those below its folders, or its files. */
function foundFiles(words: readonly string[], operands: readonly string[]): string {
  const hasPattern = words.some((word) => /^(-\w*[ef]|--(regexp|file)\b.*)$/.test(word))
  const roots = hasPattern ? operands : operands.slice(1)
  const isDeep = roots.length === 0 || words.some((word) => /^-\w*[rR]|^--(dereference-)?recursive$/.test(word))
  return (roots.length === 0 ? ['.'] : roots)
    .map((root) => (isDeep ? `${root.replace(/\/$/, '')}/${MARKS.deep}\n` : `${root}\n`))
    .join('')
}

/** Returns what a filter reads: its input, or a file that this command line wrote. */
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

/** Computes `tr` over constants; with unsupported classes and options the text counts as obfuscated. */
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
