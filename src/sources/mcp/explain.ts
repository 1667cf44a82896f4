import { messageOf, ToolError } from '../../core/call/result.ts'
import { bounded } from './bounded.ts'
import type { Connection } from './connection/connection.ts'

/** A call of a server's tool that failed. */
interface FailedCall {
  readonly server: string
  readonly connection: Connection
}

/** What is thrown for it, and whether the connection can no longer be used. */
interface Explained {
  readonly error: unknown
  readonly isLost: boolean
  /** True where the server certainly did not look at the call. */
  readonly isUnheard?: boolean
}

/** JSON-RPC: the server refused the arguments. */
const INVALID_PARAMS = -32_602

/** Says in Haft's words why a call failed. */
export async function explainCall(thrown: unknown, { server, connection }: FailedCall): Promise<Explained> {
  if (thrown instanceof ToolError) return { error: thrown, isLost: false }
  const { ProtocolError, SdkError, SdkErrorCode } = await import('@modelcontextprotocol/client')
  if (thrown instanceof ProtocolError) {
    const code = thrown.code === INVALID_PARAMS ? 'INVALID_ARGUMENTS' : 'EXECUTION_ERROR'
    return { error: new ToolError(code, `The MCP server ${server} refused the call: ${thrown.message}`), isLost: false }
  }
  if (isSignInNeeded(thrown)) {
    const text = `The MCP server ${server} wants you to sign in. Run: haft mcp test ${server}`
    return { error: new ToolError('UNAVAILABLE', text), isLost: true }
  }
  if (thrown instanceof SdkError && thrown.code === SdkErrorCode.ConnectionClosed) {
    const reason = await connection.ended
    const text = `The MCP server ${server} ended in the middle of the call: ${reason}. Whether the call had an effect is unknown.`
    return { error: new ToolError('EXECUTION_ERROR', text, { retryable: false }), isLost: true }
  }
  const text = `The call of the MCP server ${server} failed: ${messageOf(thrown)}`
  const status = statusOf(thrown)
  // Servers that do not know a session any more answer 404, older ones 400.
  const isUnheard = status === 404 || (status === 400 && /\bsession\b/i.test(messageOf(thrown)))
  const isLost = isUnheard || thrown instanceof TypeError || (status !== undefined && status >= 500)
  return { error: new ToolError('EXECUTION_ERROR', bounded(text)), isLost, isUnheard }
}

/** True where a server wants the person to sign in first. */
export function isSignInNeeded(thrown: unknown): boolean {
  for (let one: unknown = thrown; one instanceof Error; one = one.cause) {
    if (one.name === 'UnauthorizedError') return true
    if ('data' in one && isUnauthorized(one.data)) return true
    if ('status' in one && one.status === 401) return true
  }
  return false
}

function isUnauthorized(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'status' in data && data.status === 401
}

/** The status of an answer that was refused. */
function statusOf(thrown: unknown): number | undefined {
  const data = thrown instanceof Error && 'data' in thrown ? thrown.data : undefined
  const status = typeof data === 'object' && data !== null && 'status' in data ? data.status : undefined
  return typeof status === 'number' ? status : undefined
}
