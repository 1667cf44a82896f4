import type { Plugin } from 'vite'
import type { Route } from '../src/core/api/route.ts'
import { ROUTES } from '../src/core/api/routes.ts'

/** Replaces the routes in the page by what the client needs of them. Their descriptions and schemas, about 10 KB gzipped, are for the server. */
export function clientRoutes(): Plugin {
  return {
    name: 'client-routes',
    load(id) {
      if (!id.endsWith('/src/core/api/routes.ts')) return undefined
      const routes = Object.entries<Route>(ROUTES).map(([name, route]) => [name, forClient(route)])
      return `export const ROUTES = ${JSON.stringify(Object.fromEntries(routes))}`
    },
  }
}

function forClient({ method, path, query, body, isStream }: Route) {
  return {
    ...{ method, path },
    ...(query && { query: namesIn(query) }),
    ...(body && { body: namesIn(body) }),
    ...(isStream && { isStream }),
  }
}

function namesIn(shape: object): Record<string, 1> {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, 1]))
}
