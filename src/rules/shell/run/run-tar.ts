import { MARKS } from '../marks.ts'
import { act, directory, NO_OUTPUT, newShell, type Output, type ShellState } from '../shell-state.ts'
import { touchListed, touchPath } from '../touch-path.ts'
import { runText } from './run-text.ts'

const PROGRAMS =
  /^--(use-compress-program|to-command|rsh-command|rmt-command|info-script|new-volume-script)(?:=(.*))?$/s

const COMPRESSOR = /^(gzip|pigz|bzip2|lbzip2|pbzip2|xz|pixz|zstd|zstdmt|lz4|lzma|lzip|lzop|brotli)( -[\w=-]+)*$/

/** Reads a program that tar starts; compressors are harmless. */
function start(state: ShellState, text: string, input: Output): undefined {
  if (!COMPRESSOR.test(text)) act(state, 'unknown-command', text)
  runText(newShell(state), text, input)
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
  let target: string | undefined
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
    else if (/^-[A-Za-z]*f$|^--file$/.test(word)) touchPath(state, isCreate ? 'writes' : 'reads', all[++at] ?? '')
    else if (word.startsWith('--file=')) touchPath(state, isCreate ? 'writes' : 'reads', word.slice(7))
    else if (/^(-[A-Za-z]*T|--files-from)$/.test(word)) takeList(all[++at] ?? '')
    else if (word.startsWith('--files-from=')) takeList(word.slice(13))
    else if (/^-[A-Za-z]*X$|^--(exclude|exclude-from|transform)$/.test(word)) at++
    else if (word === '--remove-files') act(state, 'unknown', 'tar --remove-files')
    else if (!word.startsWith('-') && isCreate)
      touchPath(state, 'reads', target === undefined || word.startsWith('/') ? word : `${target}/${word}`, true)
  }
  if (isExtract) touchPath(state, 'writes', target ?? directory(state), target !== undefined)
  if (/-[A-Za-z]*O/.test(letters) || all.includes('--to-stdout'))
    return { text: input.text.includes(MARKS.network) ? MARKS.network : MARKS.unknown, endless: false }
  return isCreate || isExtract ? NO_OUTPUT : undefined
}
