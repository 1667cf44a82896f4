const TOOL_NAME = /^[A-Za-z0-9_][\w.:/-]{0,127}$/

/** True for a valid name of a tool or an alias. */
export function isToolName(name: unknown): name is string {
  return typeof name === 'string' && TOOL_NAME.test(name)
}
