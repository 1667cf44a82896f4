import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Route } from '../../../src/core/api/route.ts'
import { ROUTES } from '../../../src/core/api/routes.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true })
const compiled = new Map<object, ReturnType<typeof ajv.compile>>()

/** The routes and statuses that were answered in this process, as `listTools 200`. */
export const answered = new Set<string>()

/** `fetch` that checks each answer against the schema that the route declares for its status. Throws where it does not fit. */
export const checkingFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  const { pathname } = new URL(String(input))
  const found = Object.entries<Route>(ROUTES).find(
    ([, route]) => route.method === (init?.method ?? 'GET') && fits(route.path, pathname),
  )
  if (!found || found[1].isStream) return response
  const [name, { answers }] = found
  const text = await response.text()
  const again = new Response(text, { status: response.status, headers: response.headers })
  const schema = answers[response.status]
  if (schema === undefined) {
    if (response.status < 400) throw new Error(`${name} does not declare an answer with status ${response.status}`)
    const { error } = JSON.parse(text)
    if (typeof error?.code !== 'string' || typeof error?.message !== 'string')
      throw new Error(`${name}: no error in ${text}`)
    return again
  }
  const validate = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, validate)
  if (!validate(JSON.parse(text)))
    throw new Error(
      `${name} answered what it does not declare: ${ajv.errorsText(validate.errors)} in ${text.slice(0, 500)}`,
    )
  answered.add(`${name} ${response.status}`)
  return again
}

/** True if a path is one of a route; the literal routes of the same form come first. */
function fits(path: string, pathname: string): boolean {
  const parts = path.split('/')
  const given = pathname.split('/')
  return parts.length === given.length && parts.every((part, at) => part.startsWith('{') || part === given[at])
}
