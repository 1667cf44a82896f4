/** The longest text of a server, outside of results and descriptions, that is shown to a person. */
const MAX_SHOWN = 2_000

/** Returns a text of a server, cut where it is too long to be shown. */
export function bounded(text: string, max = MAX_SHOWN): string {
  return text.length > max ? `${text.slice(0, max)} … (cut)` : text
}
