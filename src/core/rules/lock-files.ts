import { nameSource } from './package-sources.ts'

/** Lists the unusual sources of a yarn.lock: addresses of version 1, and resolutions of later ones that are not npm's. */
export function listFromYarn(text: string): string[] {
  return linesOf(text).flatMap((line) => {
    const [, key, value] = /^\s+"?(resolved|resolution)"?:?\s+(.+)$/.exec(line) ?? []
    if (value === undefined) return []
    const source = value.replace(/^["']|["']$/g, '')
    if (key === 'resolved') return nameSource(source.replace(/#[0-9a-f]+$/, ''))
    const range = /^@?[^@]*@(.*)$/.exec(source)?.[1] ?? source
    // Others, such as a patch, an archive or a program of the project, count in full.
    return /^(npm|workspace|virtual):/.test(range) ? [] : nameSource(range)
  })
}

/** Lists the unusual sources of a pnpm-lock.yaml. A line that hides a key by escapes or anchors counts by itself. */
export function listFromPnpmLock(text: string): string[] {
  return linesOf(text).flatMap((line) => {
    if (/"[^"]*\\[^"]*"\s*:|[&*]\w+\s*$|<<\s*:/.test(line)) return [line.trim()]
    const named = line.matchAll(/(?:^|[\s{,])["']?(?:tarball|repo|url|path)["']?:\s*["']?([^"',}\s]+)/g)
    return [...named].flatMap(([, source = '']) => nameSource(source.includes('/') ? source : `./${source}`))
  })
}

/** Lists the unusual sources of a bun.lock, which is JSON with comments: each package is a list that begins with its name and source, and its registry. */
export function listFromBun(text: string): string[] {
  const packages = text.matchAll(/\[\s*"((?:@[^"@]+|[^"@]+))@([^"]*)"(?:\s*,\s*"([^"]*)")?/g)
  return [...packages].flatMap(([, , source = '', registry = '']) => [
    ...nameSource(source),
    ...(/^https?:/.test(registry) ? nameSource(registry) : []),
  ])
}

const linesOf = (text: string): string[] => text.split(/\r?\n/)
