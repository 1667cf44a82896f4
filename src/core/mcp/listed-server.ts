/** What an MCP server does now: `idle` was not needed yet, `waiting` is started again soon, `sign-in` needs the person to sign in. */
export const MCP_STATES = ['idle', 'starting', 'ready', 'waiting', 'failed', 'sign-in'] as const
export type McpState = (typeof MCP_STATES)[number]

/** A tool whose definition is not the one that the person has accepted. */
export interface ChangedTool {
  readonly tool: string
  /** What changed in description and schemas, as a diff. */
  readonly difference: string
}

/** What is known of an MCP server. */
export interface McpStatus {
  readonly state: McpState
  /** How many tools it offers. */
  readonly tools: number
  /** Name and version as the server gives them. */
  readonly server?: string
  /** The version of the protocol that was agreed on. */
  readonly protocol?: string
  /** Why it cannot be used now, or what was wrong last. */
  readonly problem?: string
  /** The last lines that it wrote to its error output. */
  readonly stderr?: string
  /** What it lists and Haft does not take, with the reasons. */
  readonly skipped: readonly string[]
  /** Tools that are held back until the person accepts their new definition. */
  readonly changed: readonly ChangedTool[]
}

/** An MCP server of the settings. */
export interface ListedMcpServer extends McpStatus {
  readonly name: string
  /** `settings.toml` or `managed.toml`. */
  readonly from: string
  /** True if it was added by a command or a page, and can be removed by one. */
  readonly isManaged: boolean
  /** The command or the address, without secrets. */
  readonly target: string
}
