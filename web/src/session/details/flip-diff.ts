/** The changes of one file. */
export interface FileChange {
  readonly path: string
  readonly added: number
  readonly removed: number
  readonly diff: string
}

/** Reads what an undo would restore as what was changed: each file once, with its changes the right way round. */
export function readChanges(undo: string): readonly FileChange[] {
  const files = new Map<string, string[]>()
  let body: string[] = []
  for (const line of undo.split('\n')) {
    const name = /^\+\+\+ (.*)$/.exec(line)?.[1]?.replace(/\t.*$/, '')
    if (name !== undefined) {
      body = files.get(name) ?? []
      files.set(name, body)
    } else if (/^(@@|[-+ ]|\\)/.test(line) && !line.startsWith('--- ')) body.push(line)
  }
  return [...files].map(([path, lines]) => {
    const flipped = flip(lines)
    const count = (sign: string) => flipped.filter((line) => line.startsWith(sign)).length
    const diff = [`--- ${path}`, `+++ ${path}`, ...flipped].join('\n')
    return { path, added: count('+'), removed: count('-'), diff }
  })
}

/** Swaps added and removed lines; within one place the removed ones come first again. */
function flip(lines: readonly string[]): readonly string[] {
  const out: string[] = []
  let removed: string[] = []
  let added: string[] = []
  const flush = () => {
    out.push(...removed, ...added)
    removed = []
    added = []
  }
  for (const line of lines) {
    if (line.startsWith('-')) added.push(`+${line.slice(1)}`)
    else if (line.startsWith('+')) removed.push(`-${line.slice(1)}`)
    else {
      if (!line.startsWith('\\')) flush()
      if (line.startsWith('@@')) out.push(line.replace(/^@@ -(\S+) \+(\S+) @@/, '@@ -$2 +$1 @@'))
      else if (!line.startsWith('\\')) out.push(line)
    }
  }
  flush()
  return out
}
