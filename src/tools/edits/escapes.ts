const ESCAPE = /\\([\\nrt"])/g
const MEANING: Readonly<Record<string, string>> = { '\\': '\\', n: '\n', r: '\r', t: '\t', '"': '"' }

/** Unescapes an edit whose texts were escaped once too often. Undefined when `old` contains no escape sequence. */
export function unescapeEdit({
  old,
  new: text,
}: {
  old: string
  new: string
}): { old: string; new: string } | undefined {
  const unescaped = unescapeText(old)
  if (unescaped === old) return undefined
  return { old: unescaped, new: keepsNewlines(old, text) ? unescapeText(text, 'n') : unescapeText(text) }
}

/** When `new` contains real line breaks, a `\n` in it means these two characters. */
function keepsNewlines(old: string, text: string): boolean {
  return (old.includes('\n') || text.includes('\n')) && !/\\n/.test(old)
}

function unescapeText(text: string, except?: string): string {
  return text.replace(ESCAPE, (sequence, letter: string) =>
    letter === except ? sequence : (MEANING[letter] ?? sequence),
  )
}
