const ESCAPE = /\\([\\nrt"])/g
const MEANING: Readonly<Record<string, string>> = { '\\': '\\', n: '\n', r: '\r', t: '\t', '"': '"' }

/** An edit whose texts were escaped once too often, as it was meant; undefined when `old` holds no such sequence. */
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

/** Where line breaks came through as such, a `\n` in the new text is meant as these two characters. */
function keepsNewlines(old: string, text: string): boolean {
  return (old.includes('\n') || text.includes('\n')) && !/\\n/.test(old)
}

function unescapeText(text: string, except?: string): string {
  return text.replace(ESCAPE, (sequence, letter: string) =>
    letter === except ? sequence : (MEANING[letter] ?? sequence),
  )
}
