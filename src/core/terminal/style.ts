/** A style that terminals know. */
type StyleName =
  | 'reset'
  | 'bold'
  | 'dim'
  | 'inverse'
  | 'underline'
  | 'red'
  | 'green'
  | 'yellow'
  | 'blue'
  | 'magenta'
  | 'cyan'

/** One style, or several together. */
export type Style = StyleName | StyleName[]

/** Adds the codes of a style to a text where its stream has colours, and escapes control characters in the text. */
export type Paint = (style: Style, text: string) => string

/** Returns the style of a line of a unified diff. */
export function styleOfDiff(line: string): Style {
  if (line.startsWith('+++') || line.startsWith('---')) return 'bold'
  if (line.startsWith('@@')) return 'cyan'
  if (line.startsWith('+')) return 'green'
  return line.startsWith('-') ? 'red' : 'reset'
}
