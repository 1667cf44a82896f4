import { type DemoCommand, makeStep } from './command.ts'
import { count, linesOf, nameSome, showLines } from './say.ts'
import { pattern, unescapeText, unquote, WORD, WORDS, withoutStop } from './words.ts'

/** Says what became of a file, and how to have it back. */
const changed = (path: string, how: string) => `\`${path}\` ${how}; \`haft undo\` can take that back.`

const LIST_WORDS = /^(?:(?:me|all|the|files|folders|everything|here|in|of|under)(?=\s|$)\s*)+/i
const LIST = pattern(`(${WORD})`)
const list: DemoCommand = {
  verbs: ['list', 'ls', 'dir'],
  form: 'list [FOLDER] [recursively]',
  does: 'lists a folder',
  example: 'list src recursively',
  read(rest) {
    const given = withoutStop(rest).replace(LIST_WORDS, '')
    const folder = given.replace(/(?:^|\s+)recursively$/i, '')
    if (folder !== '' && !LIST.test(folder)) return undefined
    const path = folder === '' ? '.' : unquote(folder)
    const isRecursive = folder !== given
    const place = path === '.' ? 'this folder' : `\`${path}\``
    return makeStep(
      'list_directory',
      { path, ...(isRecursive && { recursive: true }) },
      { intent: `list ${place}`, done: `listed ${place}`, report: (content) => describeListing(content, place) },
    )
  },
}

function describeListing(content: string, place: string): string {
  const names = linesOf(content)
    .filter((line) => !/^[[(]/.test(line))
    .map((line) => line.replace(/ \([^()]*\)$/, ''))
  return names.length === 0
    ? `There is nothing in ${place}.`
    : `I see ${count(names.length, 'name')} in ${place}: ${nameSome(names)}.`
}

const READ = pattern(`(?:(?:me|the|file) )*(${WORD})(?:,? (?:from )?lines? (\\d+)(?: (?:to|-) (?:line )?(\\d+))?)?`)
const read: DemoCommand = {
  verbs: ['read', 'show', 'cat', 'view'],
  form: 'read FILE [lines A to B]',
  does: 'reads a file, or some of its lines',
  example: 'read README.md lines 1 to 20',
  read(rest) {
    const [, file, from, to = from] = READ.exec(withoutStop(rest)) ?? []
    if (file === undefined) return undefined
    const path = unquote(file)
    const range = from === undefined ? {} : { from: Number(from), to: Number(to) }
    return makeStep(
      'read_file',
      { path, ...range },
      { intent: `read \`${path}\``, done: `read \`${path}\``, report: (content) => describeText(content, path) },
    )
  },
}

/** How many lines of a file are shown. */
const SHOWN_LINES = 20

function describeText(content: string, path: string): string {
  if (content.trim() === '') return `\`${path}\` is empty.`
  const lines = content.replace(/\n$/, '').split('\n')
  return `Here ${lines.length === 1 ? 'is' : 'are'} ${count(lines.length, 'line')} of \`${path}\`:${showLines(lines, SHOWN_LINES)}`
}

const WRITE = pattern(`(?:(?:a|the|new|file|called) )*(${WORD})(?: with(?: (?:the )?(?:text|content):?)? (.*))?`)
const WRITE_INTO = pattern(`("[^"]*"|'[^']*') (?:to|into|in) (?:(?:a|the|new|file) )*(${WORD})`)
const write: DemoCommand = {
  verbs: ['write', 'create', 'make'],
  form: 'write FILE with TEXT',
  does: 'writes a file; \\n in the text starts a new line',
  example: 'write notes.txt with "Buy milk\\nCall Ann"',
  read(rest) {
    const [, text, target] = WRITE_INTO.exec(withoutStop(rest)) ?? []
    const [, file = target, content = text ?? ''] = target === undefined ? (WRITE.exec(rest.trim()) ?? []) : []
    if (file === undefined) return undefined
    const path = unquote(file)
    return makeStep(
      'write_file',
      { path, content: unescapeText(content) },
      { intent: `write \`${path}\``, done: `wrote \`${path}\``, report: () => changed(path, 'is written') },
    )
  },
}

const EDIT = pattern(
  `(?:(?:the|file) )*(${WORD})[,:]?(?: and)?,? (?:to )?replace (${WORDS}) (?:with|by) (${WORDS})(?: (everywhere))?`,
)
const REPLACE = pattern(`(${WORDS}) (?:with|by) (${WORDS}) in (?:(?:the|file) )*(${WORD})(?: (everywhere))?`)
const edit: DemoCommand = {
  verbs: ['edit', 'change', 'replace', 'in'],
  form: 'edit FILE replace OLD with NEW [everywhere]',
  does: 'replaces a piece of a file, or every such piece',
  example: 'edit notes.txt replace "milk" with "bread"',
  read(rest, verb) {
    const given = withoutStop(rest)
    const [, path, before, after, everywhere] =
      verb === 'replace' ? reorder(REPLACE.exec(given)) : (EDIT.exec(given) ?? [])
    if (path === undefined || before === undefined || after === undefined) return undefined
    const replacement = { old: unescapeText(before), new: unescapeText(after) }
    const file = unquote(path)
    return makeStep(
      'edit_file',
      { path: file, edits: [{ ...replacement, ...(everywhere && { replaceAll: true }) }] },
      { intent: `edit \`${file}\``, done: `edited \`${file}\``, report: () => changed(file, 'is changed') },
    )
  },
}

/** `replace OLD with NEW in FILE` in the order of `edit FILE replace OLD with NEW`. */
function reorder(found: RegExpExecArray | null): readonly (string | undefined)[] {
  return found ? [found[0], found[3], found[1], found[2], found[4]] : []
}

const MOVE = pattern(`(?:(?:the|file|folder) )*(${WORD}) (?:to|into|as) (${WORD})`)
const move: DemoCommand = {
  verbs: ['move', 'rename', 'mv'],
  form: 'move FILE to NEW_NAME',
  does: 'moves or renames a file',
  example: 'move notes.txt to old/notes.txt',
  read(rest) {
    const [, before, after] = MOVE.exec(withoutStop(rest)) ?? []
    if (before === undefined || after === undefined) return undefined
    const [from, to] = [unquote(before), unquote(after)]
    return makeStep(
      'move_file',
      { from, to },
      {
        intent: `move \`${from}\` to \`${to}\``,
        done: `moved \`${from}\``,
        report: () => changed(from, `is \`${to}\` now`),
      },
    )
  },
}

const DELETE = pattern(`(?:the )?(?:(?:file|(folder|directory)) )?(${WORD})`)
const remove: DemoCommand = {
  verbs: ['delete', 'remove', 'rm'],
  form: 'delete [folder] FILE',
  does: 'deletes a file, or a folder with all that is in it',
  example: 'delete old/notes.txt',
  read(rest) {
    const [, folder, target] = DELETE.exec(withoutStop(rest)) ?? []
    if (target === undefined) return undefined
    const path = unquote(target)
    return makeStep(
      'delete_file',
      { path, ...(folder && { recursive: true }) },
      { intent: `delete \`${path}\``, done: `deleted \`${path}\``, report: () => changed(path, 'is deleted') },
    )
  },
}

/** The commands that read and change files. */
export const fileCommands: readonly DemoCommand[] = [list, read, write, edit, move, remove]
