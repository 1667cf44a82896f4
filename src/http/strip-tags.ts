const DROPPED = ['script', 'style', 'noscript', 'template', 'svg', 'head']
const BLOCKS = /^\/?(p|div|br|li|tr|h[1-6]|section|article|ul|ol|table|pre|blockquote|header|footer|main|nav)\b/i

/** Returns the text of a page without its tags. Takes time in proportion to its length, whatever it holds. */
export function stripTags(html: string): string {
  const parts: string[] = []
  const lower = html.toLowerCase()
  /** Tags without an end in the rest of the page: looking for it again and again would take too long. */
  const unclosed = new Set<string>()
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open < 0) {
      parts.push(html.slice(at))
      break
    }
    parts.push(html.slice(at, open))
    const close = html.indexOf('>', open)
    if (close < 0) break
    const tag = html.slice(open + 1, Math.min(close, open + 40))
    const dropped = DROPPED.find((name) => tag.toLowerCase().startsWith(name) && !unclosed.has(name))
    const end = dropped === undefined ? -1 : lower.indexOf(`</${dropped}`, close)
    if (BLOCKS.test(tag)) parts.push('\n')
    if (dropped !== undefined && end < 0) unclosed.add(dropped)
    at = end < 0 ? close + 1 : end
  }
  return parts
    .join('')
    .replace(/[ \t]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .trim()
}
