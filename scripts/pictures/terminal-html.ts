import { stripVTControlCharacters } from 'node:util'

/** The colours of a common dark terminal, by the number of their code. */
const COLOURS: Readonly<Record<number, string>> = {
  ...{ 31: '#f47067', 32: '#57ab5a', 33: '#c69026', 34: '#539bf5', 35: '#b083f0', 36: '#39c5cf', 90: '#768390' },
}

const STYLE = `body{margin:0;background:#1c2128;padding:14px 18px;display:inline-block}
pre{margin:0;font:14px/1.35 'DejaVu Sans Mono',monospace;color:#cdd9e5}`

/** Makes a page of what a terminal shows, with its colours. */
export function terminalPage(screen: string): string {
  return `<!doctype html><meta charset="utf-8"><style>${STYLE}</style><pre>${toHtml(screen.trimEnd())}</pre>`
}

/** A style holds until the next code, also in the rows below. */
function toHtml(screen: string): string {
  let style = ''
  let html = ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the codes of colours
  for (const [, codes, text = ''] of `\u001b[0m${screen}`.matchAll(/\u001b\[([\d;]*)m([^\u001b]*)/g)) {
    for (const code of (codes ?? '').split(';').map(Number)) style = nextStyle(style, code)
    html += `<span style="${style}">${escaped(stripVTControlCharacters(text))}</span>`
  }
  return html
}

function nextStyle(style: string, code: number): string {
  if (code === 0) return ''
  if (code === 1) return `${style};font-weight:600`
  if (code === 2) return `${style};opacity:.62`
  if (code === 39) return `${style};color:inherit`
  return COLOURS[code] === undefined ? style : `${style};color:${COLOURS[code]}`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
