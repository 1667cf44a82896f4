/** Joins the pieces of a message that stay visible; an empty piece stands where something was removed. */
export function joinVisible(pieces: readonly string[]): string {
  const joiner = createJoiner()
  return pieces.map((piece) => joiner.add(piece)).join('')
}

/** Joins pieces as they come: keeps words apart where something was removed, and drops blank lines at the beginning and blanks at the end. */
export interface Joiner {
  /** Takes the next piece, or an empty one where something was removed; returns what may be shown. */
  add(piece: string): string
}

export function createJoiner(): Joiner {
  let hasShown = false
  let isApart = false
  let blanks = ''
  return {
    add(piece) {
      if (piece === '') {
        isApart = true
        return ''
      }
      const text = blanks + piece
      const end = text.trimEnd().length
      blanks = text.slice(end)
      if (end === 0) return ''
      let shown = text.slice(0, end)
      if (!hasShown) shown = shown.replace(/^\s*\n/, '')
      else if (isApart && !/^\s/.test(shown)) shown = `\n${shown}`
      hasShown = true
      isApart = false
      return shown
    },
  }
}
