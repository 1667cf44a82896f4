import { readBang } from '../code/read-bang.ts'
import { runText } from '../run/run-text.ts'
import { act, NO_OUTPUT, newShell } from '../shell-state.ts'
import { touchPath } from '../touch-path.ts'
import type { RoleReader } from './role.ts'

/** A statement that changes no database: one query, or a command that shows something. */
const READS_ONLY =
  /^\s*(select\b[^;]*;?\s*$|explain\b[^;]*;?\s*$|pragma\s+\w+(\(\w+\))?\s*;?\s*$|\.(tables|schema|fullschema|indexes|indices|databases|dbinfo|mode|headers?|width|nullvalue|separator|timer|help|show|dump|stats)\b)/i

/** Roles of words that databases and TeX take: files, and statements of their own. */
export const DATA_ROLES: Readonly<Record<string, RoleReader>> = {
  /** A file, or TeX itself, which may start programs and read files. */
  tex: (state, { word }) => {
    if (!word.startsWith('\\')) {
      if (/^[~/.]/.test(word)) touchPath(state, 'reads', word)
      return
    }
    for (const [, text = ''] of word.matchAll(
      /\\(?:immediate\s*\\)?write18\s*\{([^}]*)\}|\\input\s*\{?\s*"?\|([^"}]*)/g,
    ))
      runText(newShell(state), text, NO_OUTPUT)
    if (/\\write18|\\input\s*\{?\s*"?\||\\directlua|\\openout/.test(word)) act(state, 'unknown-command', word)
    for (const [, path = ''] of word.matchAll(
      /\\(?:input|include|openin\w*=?|lstinputlisting|verbatiminput)\s*\{?\s*([~/][^}\s]*)/g,
    ))
      touchPath(state, 'reads', path)
  },
  /** A database file, which is changed unless every statement only reads. */
  database: (state, { word, operands, input }) => {
    const statements = operands.slice(1)
    const isRead = statements.length > 0 && input.text === '' && statements.every((one) => READS_ONLY.test(one))
    touchPath(state, isRead ? 'reads' : 'writes', word)
  },
  sqlite: (state, { word }) => {
    if (/^\s*\.(shell|system|import|load|output|once|save|backup|read|excel)/.test(word))
      readBang(state, `!${word.replace(/^\s*\.\w+/, '')}`)
    const logged = /^\s*\.(?:log|trace|testcase|open|clone|session)\s+(?:-\S+\s+)*(\S+)/.exec(word)?.[1]
    if (logged !== undefined && /[/~]/.test(logged)) touchPath(state, 'writes', logged)
    if (/^\s*\.(cd|ar|archive)\b/.test(word)) act(state, 'unknown-command', `sqlite ${word}`)
    for (const [, path = ''] of word.matchAll(/\b(?:attach\s+(?:database\s+)?|vacuum\s+into\s+)'([^']+)'/gi))
      touchPath(state, 'writes', path)
    if (/\b(writefile|readfile|load_extension|edit)\s*\(/i.test(word)) act(state, 'unknown-command', word)
  },
  /** SQL of DuckDB, which reads and writes any file that a text names. */
  duckdb: (state, argument) => {
    DATA_ROLES.sqlite?.(state, argument)
    const { word } = argument
    for (const [, path = ''] of word.matchAll(/'([^']+)'/g))
      if (/[/~.]/.test(path)) touchPath(state, /\b(copy|export)\b/i.test(word) ? 'writes' : 'reads', path)
    if (/\b(install|load|attach)\b/i.test(word)) act(state, 'unknown-command', `duckdb ${word}`)
  },
}
