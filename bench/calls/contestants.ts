import { serveOrders } from '../lib/serve-orders.ts'
import { ai } from './ai.ts'
import { floors } from './floors.ts'
import { haft } from './haft.ts'
import { libraries } from './libraries.ts'
import { mcp } from './mcp.ts'
import { references } from './references.ts'
import { validators } from './validators.ts'

/** Everybody in the race. Started as a program with one of their names, this file is that contestant's process. */
export const contestants = [...floors, ...references, ...haft, ...validators, ...libraries, ...ai, ...mcp]

if (import.meta.main) await serveOrders(contestants)
