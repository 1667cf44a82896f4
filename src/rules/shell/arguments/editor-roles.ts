import { readBang } from '../code/read-bang.ts'
import { readCode } from '../code/read-code.ts'
import { runFile } from '../run/run-file.ts'
import { touchPath } from '../touch-path.ts'
import type { RoleReader } from './role.ts'

/** Roles of words that editors, pagers and debuggers take: files, and commands of their own. */
export const EDITOR_ROLES: Readonly<Record<string, RoleReader>> = {
  bang: (state, { word }) => {
    for (const line of word.split('\n')) readBang(state, line)
  },
  'ex-command': (state, { word }) => {
    for (const line of word.split('\n')) readBang(state, line)
    readCode(state, 'vim', word)
  },
  pager: (state, { word }) => {
    if (word.startsWith('+')) readBang(state, word)
    else touchPath(state, 'reads', word)
  },
  vim: (state, { word, modes, operands, input }) => {
    // `-s` takes a file of keystrokes, unless the editor runs silently without a screen.
    const isScript = modes.has('keys') && !modes.has('ex') && word === operands[0]
    if (word.startsWith('+')) readBang(state, word)
    else if (isScript) runFile(state, { path: word, words: [], input, language: 'vim' })
    if (!word.startsWith('+')) touchPath(state, 'writes', word)
  },
  ed: (state, { word, input }) => {
    if (word.startsWith('!')) readBang(state, word)
    else touchPath(state, 'writes', word)
    for (const line of input.text.split('\n')) if (/^[wre]/.test(line)) readBang(state, line)
  },
  elisp: (state, { word }) => readCode(state, 'emacs', word),
}
