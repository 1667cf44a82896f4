/** How far back on its line a quotation may begin. */
export const LOOK_BACK = 1000
const PAIRS: readonly (readonly [open: string, close: string])[] = [
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
  ['‘', '’'],
  ['「', '」'],
  ['『', '』'],
]
/** A quotation mark or backtick right before a place: a quotation begins there, also when the message ends inside it. */
const OPENS = /(?:^|[\s([{:=])["']$|[`“„«‘「『]$/
/** Elements whose content is shown and not meant. */
const SHOWN = ['code', 'pre', 'blockquote', 'example', 'quote', 'samp']

/** What is known about a place: quoted, not quoted, or not known before more of its line has arrived. */
export type Quoted = boolean | 'unknown'

/** Says whether markup from `start` to `end` is a quotation: in a `>` line or a table, an indented block after prose, inside quotation marks, a comment or an HTML element that shows code. */
export function isQuoted(text: string, start: number, end: number): Quoted {
  const from = Math.max(0, start - LOOK_BACK)
  const before = text.slice(from, start)
  const line = before.slice(before.lastIndexOf('\n') + 1)
  if (/^[ \t]{0,3}[>|]/.test(line)) return true
  if (/^(?: {4}|\t)\s*$/.test(line) && isIndentedCode(before.slice(0, before.length - line.length))) return true
  if (/\\$/.test(line) || OPENS.test(line)) return true
  if (isShown(before)) return true
  return isInQuotes(line, text, end)
}

/** An indented block is code when a blank line parts it from prose before it. */
function isIndentedCode(above: string): boolean {
  return /\S[ \t]*\n[ \t]*\n$/.test(above.slice(-LOOK_BACK))
}

function isShown(before: string): boolean {
  if (before.lastIndexOf('<!--') > before.lastIndexOf('-->')) return true
  return SHOWN.some((tag) => before.lastIndexOf(`<${tag}>`) > before.lastIndexOf(`</${tag}>`))
}

function isInQuotes(line: string, text: string, end: number): Quoted {
  const opened = PAIRS.filter(([open, close]) => isOpen(line, open, close))
  if (opened.length === 0) return false
  const after = text.slice(end, end + LOOK_BACK)
  const newline = after.indexOf('\n')
  const rest = newline === -1 ? after : after.slice(0, newline)
  if (opened.some(([, close]) => closes(rest, close))) return true
  return newline === -1 && after.length < LOOK_BACK ? 'unknown' : false
}

/** True when a quotation begins on a line and does not end there. An apostrophe inside a word is none. */
function isOpen(line: string, open: string, close: string): boolean {
  if (open !== close) return line.lastIndexOf(open) > line.lastIndexOf(close)
  let isInside = false
  for (let at = line.indexOf(open); at !== -1; at = line.indexOf(open, at + 1)) {
    if (isInside) isInside = !/^(?:$|[\s.,;:!?)\]}])/.test(line.slice(at + 1, at + 2))
    else isInside = at === 0 || /[\s([{:=]/.test(line[at - 1] ?? '')
  }
  return isInside
}

function closes(rest: string, close: string): boolean {
  for (let at = rest.indexOf(close); at !== -1; at = rest.indexOf(close, at + 1))
    if (close !== "'" || !/[\p{L}\p{N}]/u.test(rest[at + 1] ?? '')) return true
  return false
}
