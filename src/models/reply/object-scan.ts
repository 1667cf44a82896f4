/** Follows a JSON object that arrives in pieces. */
export interface ObjectScan {
  push(piece: string): void
  /** True where the outermost object is closed and nothing but space follows it. */
  isClosed(): boolean
}

/** Starts to follow a text. Each character is looked at once: asking after every piece stays linear. */
export function createObjectScan(): ObjectScan {
  let depth = 0
  let state: 'before' | 'inside' | 'string' | 'escape' | 'closed' | 'broken' = 'before'
  const step = (character: string): typeof state => {
    if (state === 'escape') return 'string'
    if (state === 'string') return character === '"' ? 'inside' : character === '\\' ? 'escape' : 'string'
    if (isSpace(character) || state === 'broken') return state
    if (state === 'closed' || (state === 'before' && character !== '{')) return 'broken'
    if (character === '"') return 'string'
    if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    return depth === 0 ? 'closed' : 'inside'
  }
  return {
    push(piece) {
      for (const character of piece) state = step(character)
    },
    isClosed: () => state === 'closed',
  }
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\r' || character === '\t'
}
