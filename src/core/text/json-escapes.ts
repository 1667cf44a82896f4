/** What the letters after a backslash stand for in JSON, and the single quote, which models escape as well. `\u` is read apart. */
export const JSON_ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}
