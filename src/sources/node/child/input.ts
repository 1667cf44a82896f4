import { isDeepStrictEqual } from 'node:util'
import { deserialize, serialize } from 'node:v8'
import { ToolError } from '../../../core/call/result.ts'
import { deepFreeze, isJsonValue, isPlainObject } from '../../../core/text/json.ts'
import { isStandardSchema, parseStandard } from '../../../core/tool/parse-standard.ts'
import type { Issue } from '../../../core/tool/snapshot.ts'
import type { ParsedAnswer, SentInput } from '../protocol.ts'
import type { LoadedTool } from './loaded-tool.ts'

/** Parses arguments with the tool's own schema; gives what Haft keeps of the value until it is needed. */
export async function parseInput({ input }: LoadedTool, given: unknown): Promise<ParsedAnswer> {
  if (!isStandardSchema(input)) return { value: given }
  const { issues, parsed } = await parseStandard(input, given)
  if (issues.length > 0) return { issues: issues.map(withoutPath) }
  const value = parsed?.value
  if (isPlainObject(value) && isJsonValue(value)) return { value }
  const bytes = serializeExactly(value)
  return bytes === undefined ? { unparsed: given } : { bytes }
}

/** Whoever shows an issue puts its path before the message again. */
function withoutPath({ path, message }: Issue): Issue {
  const before = `${path.join('.') || 'the arguments'}: `
  return { path, message: message.startsWith(before) ? message.slice(before.length) : message }
}

/** Undefined where a part of the value would come back as something else, such as an instance of a class. */
function serializeExactly(value: unknown): string | undefined {
  try {
    const bytes = serialize(value)
    return isDeepStrictEqual(deserialize(bytes), value) ? bytes.toString('base64') : undefined
  } catch {
    return undefined
  }
}

/** The input as the tool gets it; plain data in it is frozen. */
export async function readInput(tool: LoadedTool, sent: SentInput): Promise<unknown> {
  if ('value' in sent) return deepFreeze(sent.value)
  if ('bytes' in sent) return deserialize(Buffer.from(sent.bytes, 'base64'))
  if (!isStandardSchema(tool.input)) return deepFreeze(sent.unparsed)
  const { issues, parsed } = await parseStandard(tool.input, sent.unparsed)
  const [issue] = issues
  if (issue)
    throw new ToolError('CONFLICT', `${tool.name} took these arguments before, and does not now: ${issue.message}`)
  return parsed?.value
}
