import { MARKS } from '../marks.ts'
import { act, directory, NO_OUTPUT, newShell, type Output, type ShellState } from '../shell-state.ts'
import { everyday, touchListed, touchPath } from '../touch-path.ts'
import { fillFolder } from './fill-folder.ts'
import { runText } from './run-text.ts'

const PROGRAMS =
  /^--(use-compress-program|to-command|rsh-command|rmt-command|info-script|new-volume-script)(?:=(.*))?$/s

const COMPRESSOR = /^(gzip|pigz|bzip2|lbzip2|pbzip2|xz|pixz|zstd|zstdmt|lz4|lzma|lzip|lzop|brotli)( -[\w=-]+)*$/

/** Reads a program that tar starts; compressors are harmless. */
function start(state: ShellState, text: string, input: Output): undefined {
  if (!COMPRESSOR.test(text)) act(state, 'unknown-command', text)
  runText(newShell(state), text, input)
}

interface Extracted {
  readonly target: string | undefined
  readonly archive: string | undefined
  readonly members: readonly string[]
}

/** Records what is unpacked: the members that are named, else anything. */
function extract(state: ShellState, { target, archive, members }: Extracted): undefined {
  const folder = target ?? directory(state)
  if (members.length === 0 || target !== undefined)
    return fillFolder(state, { folder, source: archive, tree: target !== undefined })
  for (const member of members) touchPath(state, 'writes', `${folder}/${member}`, true)
}

/** Reads a call of tar: what it packs or where it unpacks, and the programs that it starts. */
export function runTar(state: ShellState, words: readonly string[], input: Output): Output | undefined {
  const [first = '', ...others] = words
  const all = /^[A-Za-z]+$/.test(first) ? [`-${first}`, ...others] : words
  const letters =
    all.filter((word) => /^-[A-Za-z]/.test(word)).join('') +
    all.filter((word) => /^--(extract|get|create|list|append|update)/.test(word)).join('')
  const isExtract = /-[A-Za-eg-wyz]*x|--extract|--get/.test(letters)
  const isCreate = /-[A-Za-eg-z]*[cru]|--create|--append|--update/.test(letters) && !isExtract
  // Operands are packed; when extracting, they only select members.
  const takeList = (list: string) => (isCreate ? touchListed(state, list, input.text) : touchPath(state, 'reads', list))
  const isShown = /-[A-Za-z]*O/.test(letters) || all.includes('--to-stdout')
  const isKept = all.some((word) =>
    /^--(keep-old-files|skip-old-files|keep-newer-files)$|^-[A-Za-eg-z]*k[A-Za-z]*$/.test(word),
  )
  let target: string | undefined
  let archive: string | undefined
  const members: string[] = []
  for (let at = 0; at < all.length; at++) {
    const word = all[at] ?? ''
    const program = PROGRAMS.exec(word)
    const checkpoint = /^--checkpoint-action=exec=(.*)$/s.exec(word)?.[1]
    if (program) start(state, program[2] ?? all[++at] ?? '', input)
    else if (checkpoint !== undefined) start(state, checkpoint, input)
    else if (/^-[A-Za-z]*[IF]$/.test(word)) start(state, all[++at] ?? '', input)
    else if (/^-[IF]./.test(word)) start(state, word.slice(2), input)
    else if (/^(--absolute-names|-[A-Za-z]*P[A-Za-z]*)$/.test(word)) act(state, 'unknown', `tar ${word}`)
    else if (/^(-[A-Za-z]*C|--directory)$/.test(word)) target = all[++at]
    else if (word.startsWith('--directory=')) target = word.slice(12)
    else if (/^-[A-Za-z]*f$|^--file$/.test(word)) archive = all[++at] ?? ''
    else if (word.startsWith('--file=')) archive = word.slice(7)
    else if (/^(-[A-Za-z]*T|--files-from)$/.test(word)) takeList(all[++at] ?? '')
    else if (word.startsWith('--files-from=')) takeList(word.slice(13))
    else if (/^-[A-Za-z]*X$|^--(exclude|exclude-from|transform)$/.test(word)) at++
    else if (word === '--remove-files') act(state, 'unknown', 'tar --remove-files')
    else if (!word.startsWith('-') && isCreate)
      touchPath(state, 'reads', target === undefined || word.startsWith('/') ? word : `${target}/${word}`, true)
    else if (!word.startsWith('-')) members.push(word)
  }
  if (archive !== undefined) touchPath(state, isCreate ? 'writes' : 'reads', archive)
  if (isExtract && !isShown) extract(isKept ? everyday(state) : state, { target, archive, members })
  if (isShown) return { text: input.text.includes(MARKS.network) ? MARKS.network : MARKS.unknown, endless: false }
  return isCreate || isExtract ? NO_OUTPUT : undefined
}
