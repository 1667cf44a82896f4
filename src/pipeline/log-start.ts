import { type Failure, isFailure } from '../core/call/result.ts'
import type { Parsed } from './parse/parse.ts'
import { MAX_SIZE } from './parse/plain-data.ts'
import { refreshSecrets } from './refresh-secrets.ts'
import type { Parts, Request } from './request.ts'

/** When a call began, in milliseconds of the process's clock, and the parts of its host. */
export interface Started {
  readonly parts: Parts
  readonly started: number
}

/** The longest name that the log stores; names of tools are shorter. */
const MAX_NAME = 1_000

/** Logs the start of a call. */
export function logStart(parsed: Parsed | Failure, request: Request, { parts, started }: Started): void {
  const { emit, masker } = parts
  refreshSecrets(masker, isFailure(parsed) ? undefined : parsed.raw.entry, started)
  const { id: call, session, name } = request
  const args = loggableArguments(request.arguments, parsed)
  emit({ type: 'call-start', session, call, name: loggableName(name), arguments: args })
}

/** Returns the request under the tool's own name. Later stages do not see the alias, so its default arguments are not added again if a person removes them. */
export function withToolName(request: Request, parsed: Parsed | Failure): Request {
  if (isFailure(parsed) || request.name === parsed.raw.entry.tool.name) return request
  return { ...request, name: parsed.raw.entry.tool.name }
}

/** Returns the arguments as received, with the default arguments of an alias. Never an object that can still change, and nothing over the limit. */
function loggableArguments(given: unknown, parsed: Parsed | Failure): unknown {
  if (!isFailure(parsed) && parsed.preset) return parsed.raw.arguments
  if (typeof given === 'string') return given.length <= MAX_SIZE ? given : `${given.slice(0, 1_000)}…`
  return isFailure(parsed) ? null : parsed.raw.arguments
}

/** Always returns a string, because one event that cannot be written would block all others. */
function loggableName(name: unknown): string {
  return typeof name === 'string' ? name.slice(0, MAX_NAME) : `(${typeof name})`
}
