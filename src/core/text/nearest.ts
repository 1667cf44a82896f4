/** Returns up to three candidates that are similar to an unknown name, best first. Those whose length differs too much are not compared. */
export function nearest(name: string, candidates: readonly string[], plain = plainToolName): string[] {
  const wanted = plain(name.slice(-1_000)).slice(0, 80)
  const limit = Math.max(1, Math.floor(wanted.length / 3))
  return candidates
    .map((candidate) => ({ candidate, spelling: plain(candidate) }))
    .filter(({ spelling }) => Math.abs(spelling.length - wanted.length) <= limit)
    .map(({ candidate, spelling }) => ({ candidate, distance: farness(wanted, spelling) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}

/** Normalises spellings: `writeFile`, `write-file` and `functions.write_file` become `write_file`. */
function plainToolName(name: string): string {
  return name
    .replace(/^.*[.:/]/, '')
    .replace(/[\s_-]/g, '')
    .toLowerCase()
}

/** Returns how many letters must be changed, added, dropped or swapped with their neighbour. */
function farness(a: string, b: string): number {
  if (a === b) return 0
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (before[j - 2] ?? cost) + 1)
      row.push(cost)
    }
    before = last
    last = row
  }
  return last[b.length] ?? a.length
}
