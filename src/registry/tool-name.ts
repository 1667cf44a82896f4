const TOOL_NAME = /^[A-Za-z0-9_][\w.:/-]{0,127}$/

/** True for what a tool or an alias may be called. */
export function isToolName(name: unknown): name is string {
  return typeof name === 'string' && TOOL_NAME.test(name)
}
