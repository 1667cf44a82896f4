import { RegExpRouter } from 'hono/router/reg-exp-router'

/** What was found at a path, and what its parameters hold. */
export interface Found<T> {
  readonly value: T
  readonly params: Readonly<Record<string, string>>
}

const NONE: Readonly<Record<string, string>> = Object.freeze({})

/** Returns a function that finds what belongs to a path, such as `/api/tools/{name}`. A path without parameters comes first. */
export function createRouter<T>(values: ReadonlyMap<string, T>): (path: string) => Found<T> | undefined {
  const literal = new Map<string, Found<T>>()
  const router = new RegExpRouter<T>()
  for (const [path, value] of values) {
    if (path.includes('{')) router.add('GET', path.replaceAll(/\{(\w+)\}/g, ':$1'), value)
    else literal.set(path, { value, params: NONE })
  }
  return (path) => literal.get(path) ?? readMatch(router.match('GET', path))
}

/** Reads what Hono's router found: handlers with the places of their parameters, and what is at these places. */
function readMatch<T>([found, texts]: ReturnType<RegExpRouter<T>['match']>): Found<T> | undefined {
  const [first] = found
  if (first === undefined) return undefined
  const [value, places] = first
  const params = Object.entries(places).map(([name, place]) => {
    const text = typeof place === 'number' ? texts?.[place] : place
    return [name, decodeURIComponent(text ?? '')]
  })
  return { value, params: Object.fromEntries(params) }
}
