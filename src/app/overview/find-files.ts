import type { ReadFiles } from '../../core/ports/files.ts'

/** How many files of a workspace are looked at, and how many are named. */
const LOOKED_AT = 20_000
const NAMED = 20

interface Searched {
  readonly files: Pick<ReadFiles, 'walk'>
  /** Tells whether a rule denies reading a path; such files are not named. */
  readonly denies: ((path: string) => boolean) | undefined
}

/** Finds files of a workspace by letters of their path in order, the best match first: `crt` finds `shop/cart.py`. Hidden and ignored files are left out. */
export async function findFiles(
  query: string,
  { files, denies }: Searched,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const { entries } = await files.walk('.', {
    ...{ glob: '*', ignore: true, limit: LOOKED_AT },
    ...(signal && { signal }),
  })
  const letters = query.toLowerCase().replaceAll(/\s+/g, '')
  return entries
    .filter(({ type, name }) => type === 'file' && !denies?.(name))
    .flatMap(({ name }) => {
      const score = scorePath(name.toLowerCase(), letters)
      return score === undefined ? [] : [{ name, score }]
    })
    .sort((a, b) => a.score - b.score || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
    .slice(0, NAMED)
    .map(({ name }) => name)
}

/** How well a path fits, lower being better; undefined where a letter is missing. */
function scorePath(path: string, letters: string): number | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (name.startsWith(letters)) return 0
  if (name.includes(letters)) return 1
  if (path.includes(letters)) return 2
  let at = -1
  for (const letter of letters) {
    at = path.indexOf(letter, at + 1)
    if (at === -1) return undefined
  }
  return 3
}
