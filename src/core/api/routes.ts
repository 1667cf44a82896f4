import { approvalRoutes } from './approvals.ts'
import { homeRoutes } from './home.ts'
import { mcpRoutes } from './mcp.ts'
import { modelRoutes } from './models.ts'
import { planRoutes } from './plans.ts'
import type { RouteAnswer, RouteInput } from './route.ts'
import { ruleRoutes } from './rules.ts'
import { sessionRoutes } from './sessions.ts'
import { settingRoutes } from './settings.ts'
import { toolRoutes } from './tools.ts'

/** Every route of the HTTP interface, by the name that the client calls it. */
export const ROUTES = {
  ...toolRoutes,
  ...sessionRoutes,
  ...approvalRoutes,
  ...modelRoutes,
  ...mcpRoutes,
  ...planRoutes,
  ...ruleRoutes,
  ...homeRoutes,
  ...settingRoutes,
} as const

export type Routes = typeof ROUTES
export type RouteName = keyof Routes

/** What a request of a route holds, by its name. */
export type InputOf<Name extends RouteName> = RouteInput<Routes[Name]>

/** What a route answers, by its name. */
export type AnswerOf<Name extends RouteName> = RouteAnswer<Routes[Name]>
