import type TurndownService from 'turndown'

/** As much of an element as the rules use; linkedom has no types that turndown knows. */
interface Element {
  readonly textContent: string | null
  getAttribute(name: string): string | null
  closest(selector: string): Element | null
  querySelector(selector: string): Element | null
  querySelectorAll(selector: string): ArrayLike<Element>
}

/** Adds what turndown itself does not write: tables, and every `pre` as code with its language. */
export function addRules(turndown: TurndownService): void {
  const add = (name: string, tags: readonly string[], replace: (content: string, element: Element) => string) =>
    turndown.addRule(name, {
      filter: [...tags] as never,
      replacement: (content, node) => replace(content, node as unknown as Element),
    })
  add('code', ['pre'], (_, pre) => writeCode(pre))
  add('cell', ['th', 'td'], (content, cell) => (isData(cell) ? writeCell(content, cell) : `\n\n${content}\n\n`))
  add('row', ['tr'], (content, row) => (isData(row) ? writeRow(content, row) : content))
  add('rows', ['thead', 'tbody', 'tfoot'], (content) => content)
  add('caption', ['caption'], (content) => `\n\n${content}\n\n`)
}

function writeCode(pre: Element): string {
  const text = (pre.textContent ?? '').replace(/\n$/, '')
  const classes = `${pre.getAttribute('class') ?? ''} ${pre.querySelector('code')?.getAttribute('class') ?? ''}`
  const language = /\b(?:language|lang|highlight-source|brush:)-?\s?([\w+#-]+)/.exec(classes)?.[1] ?? ''
  // A fence is longer than every run of backticks inside.
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `\n\n${fence}${language}\n${text}\n${fence}\n\n`
}

/** What a table of Markdown cannot hold; a table with such parts lays out a page, and its parts follow one another. */
const BLOCKS = 'table, pre, ul, ol, blockquote, h1, h2, h3'

function isData(part: Element): boolean {
  const table = part.closest('table')
  return table !== null && table.querySelector(BLOCKS) === null && widthOf(table) > 1
}

function widthOf(table: Element): number {
  return Math.max(0, ...Array.from(table.querySelectorAll('tr'), (row) => row.querySelectorAll('th, td').length))
}

function writeCell(content: string, cell: Element): string {
  const text = content
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')
  const more = Math.min(Number(cell.getAttribute('colspan') ?? 1) || 1, 100) - 1
  return ` ${text} |${'  |'.repeat(more)}`
}

/** The first row is the head, whatever it is marked as: a table of Markdown has one. */
function writeRow(content: string, row: Element): string {
  const isFirst = row.closest('table')?.querySelector('tr') === row
  const line = `\n|${content}`
  return isFirst ? `${line}\n|${' --- |'.repeat(content.match(/(?<!\\)\|/g)?.length ?? 1)}` : line
}
