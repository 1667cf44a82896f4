import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A question made of the comment of a function, and where the function is in the copy without the comment. */
export interface DocQuery {
  readonly query: string
  readonly path: string
  readonly name: string
}

/** Comments above named functions, in the style of JSDoc. */
const DOCUMENTED =
  /\/\*\*((?:[^*]|\*(?!\/))*)\*\/\s*\n([ \t]*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s+([A-Za-z_$][\w$]*)\s*\()/g

const MAX_FILE = 200_000

/** Copies the code of installed packages without the comments of some functions, which become the queries. */
export function makeDocQueries(packages: string, target: string, count: number): readonly DocQuery[] {
  const queries: DocQuery[] = []
  for (const path of listSources(packages)) {
    const text = readFileSync(join(packages, path), 'utf8')
    const found: DocQuery[] = []
    const stripped = text.replace(DOCUMENTED, (all, comment: string, rest: string, name: string) => {
      const query = sentenceOf(comment)
      if (query === undefined || queries.length + found.length >= count || found.length >= 3) return all
      found.push({ query, path, name })
      return rest
    })
    queries.push(...found)
    mkdirSync(join(target, path, '..'), { recursive: true })
    writeFileSync(join(target, path), stripped)
  }
  return queries
}

/** The first sentence of a comment, if it says something: at least five words, and no tags. */
function sentenceOf(comment: string): string | undefined {
  const text = comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, ''))
    .join(' ')
    .replace(/\s@[\s\S]*$|\{@\w+ ([^}]*)\}/g, '$1')
    .replace(/[`*]/g, '')
    .trim()
  const [sentence = ''] = text.split(/(?<=\.)\s/)
  return sentence.split(/\s+/).length >= 5 && sentence.length < 300 && !sentence.startsWith('@') ? sentence : undefined
}

function listSources(packages: string): readonly string[] {
  return readdirSync(packages, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(m?js|cjs|ts)$/.test(path) && !/\.(d\.ts|min\.js)$|(^|\/)(\.bin|umd|bundle)\//.test(path))
    .filter((path) => {
      const stats = statSync(join(packages, path))
      const { size } = stats
      return stats.isFile() && size > 200 && size <= MAX_FILE
    })
    .toSorted()
}
