import { MARKS } from '../marks.ts'
import { applyPatch, fillFolder } from '../run/fill-folder.ts'
import { directory } from '../shell-state.ts'
import { everyday, touchPath } from '../touch-path.ts'
import type { RoleReader } from './role.ts'

/** The ending that each compressor adds; those with `keeps` leave the original in place. */
const COMPRESSORS: readonly { readonly names: RegExp; readonly ending: string; readonly keeps?: boolean }[] = [
  { names: /^(g(un)?zip|(un)?pigz)$/, ending: '.gz' },
  { names: /^b(un)?zip2$/, ending: '.bz2' },
  { names: /^(un)?xz$/, ending: '.xz' },
  { names: /^(un)?zstd$/, ending: '.zst', keeps: true },
  { names: /^(un)?lz4$/, ending: '.lz4', keeps: true },
  { names: /^(un)?compress$/, ending: '.Z' },
]

/** Roles of words that name archives, compressed files and patches. */
export const ARCHIVE_ROLES: Readonly<Record<string, RoleReader>> = {
  /** An archive whose files are put into the working directory, unless an option names another folder. */
  archive: (state, { word, modes }) => {
    touchPath(state, 'reads', word)
    if (!modes.has('dry') && !modes.has('placed')) fillFolder(state, { folder: directory(state), source: word })
  },
  /** The folder that an archive is unpacked into. */
  'unpack-into': (state, { word, modes, operands }) => {
    if (!modes.has('dry')) fillFolder(state, { folder: word, source: operands[0], tree: true })
  },
  /** A file that is compressed or expanded: its content is kept under another name, which is overwritten only by force. */
  compressed: (state, { word, name, modes }) => {
    touchPath(state, 'reads', word)
    const kind = COMPRESSORS.find(({ names }) => names.test(name))
    if (modes.has('dry') || kind === undefined) return
    const isExpanded = modes.has('expand') || /un/.test(name)
    const target = isExpanded ? word.replace(/\.\w+$/, '') : `${word}${kind.ending}`
    if (!modes.has('original') && !kind.keeps) touchPath(everyday(state), 'deletes', word)
    touchPath(modes.has('force') ? state : everyday(state), 'writes', target)
  },
  /** The beginning of the names of files that are written. */
  'name-start': (state, { word }) => touchPath(state, 'writes', `${word}${MARKS.star}`),
  /** A patch that git applies to the files of the working directory. */
  'patch-file': (state, { word, modes }) => {
    touchPath(state, 'reads', word)
    if (!modes.has('dry')) fillFolder(state, { folder: directory(state), source: word })
  },
  /** A patch as text. */
  patch: (state, { input, modes }) => {
    if (!modes.has('dry')) applyPatch(state, { folder: directory(state), strip: 1, input })
  },
}
