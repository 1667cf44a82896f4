import type { Key } from 'ink'
import { erase, insert, move, type Target, type TextBuffer } from './text-buffer.ts'

/** What Ctrl with a letter does, as in every shell. */
const MOVES: Readonly<Record<string, Target>> = {
  ...{ a: 'lineStart', e: 'lineEnd', b: 'before', f: 'after' },
}
const ERASES: Readonly<Record<string, Target>> = { u: 'lineStart', k: 'lineEnd', w: 'wordBefore', h: 'before' }

/** Applies a key that edits a text. Returns undefined for a key that does not. */
export function editText(buffer: TextBuffer, input: string, key: Key): TextBuffer | undefined {
  if (key.leftArrow) return move(buffer, key.ctrl || key.meta ? 'wordBefore' : 'before')
  if (key.rightArrow) return move(buffer, key.ctrl || key.meta ? 'wordAfter' : 'after')
  if (key.home) return move(buffer, 'lineStart')
  if (key.end) return move(buffer, 'lineEnd')
  if (key.backspace) return erase(buffer, key.meta || key.ctrl ? 'wordBefore' : 'before')
  if (key.delete) return erase(buffer, 'after')
  if (key.ctrl) {
    const to = MOVES[input]
    const from = ERASES[input]
    if (to) return move(buffer, to)
    return from ? erase(buffer, from) : undefined
  }
  if (key.meta) {
    if (input === 'b') return move(buffer, 'wordBefore')
    return input === 'f' ? move(buffer, 'wordAfter') : undefined
  }
  const text = typedText(input)
  return text === '' || key.return || key.escape || key.tab ? undefined : insert(buffer, text)
}

/** Returns what of an input is text: a terminal ends lines with a carriage return, and other control characters are no text. */
export function typedText(input: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken away
  return input.replace(/\r\n?/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
}
