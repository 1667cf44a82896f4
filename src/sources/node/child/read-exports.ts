import { messageOf } from '../../../core/call/result.ts'
import { isRecord } from '../../../core/text/json.ts'
import type { FileProblem } from '../protocol.ts'
import { findNameLine } from './find-line.ts'
import type { LoadedTool } from './loaded-tool.ts'
import { readTool } from './read-tool.ts'

/** What a module exports, by name. */
type Exports = Readonly<Record<string, unknown>>

const NO_TOOLS =
  'it exports no tool; expected `export default defineTool({…})`, an object with name, description, parameters and handler, or a list TOOL_SPECS. A file that only helps others has a name that starts with _'

/** The tools that a module exports, in the order of their names in it, and what is wrong with the others. */
export function readExports(
  exported: Exports,
  text: string,
): { readonly tools: readonly LoadedTool[]; readonly problems: readonly FileProblem[] } {
  const found = listSpecs(exported)
  if (found.problems.length + found.specs.length === 0) return { tools: [], problems: [{ reason: NO_TOOLS }] }
  const tools: LoadedTool[] = []
  const problems = [...found.problems]
  for (const spec of found.specs) {
    try {
      tools.push(readTool(spec, exported))
    } catch (thrown) {
      problems.push(problemOf(spec, messageOf(thrown), text))
    }
  }
  return { tools, problems }
}

function problemOf(spec: Exports, reason: string, text: string): FileProblem {
  const { name } = isRecord(spec.function) ? spec.function : spec
  const line = typeof name === 'string' ? findNameLine(text, name) : undefined
  return { ...(line !== undefined && { line }), reason }
}

interface Found {
  readonly specs: readonly Exports[]
  readonly problems: readonly FileProblem[]
}

/** Every export that means to be a tool, once; exports that are something else are the file's own matter. */
function listSpecs(exported: Exports): Found {
  const { TOOL_SPECS: listed, ...others } = withDefault(exported)
  const specs = new Set<Exports>()
  const problems: FileProblem[] = []
  if (listed !== undefined && !Array.isArray(listed))
    problems.push({ reason: `TOOL_SPECS is not a list; expected [{ name, description, parameters, handler }]` })
  for (const [index, spec] of (Array.isArray(listed) ? listed : []).entries()) {
    if (isRecord(spec)) specs.add(spec)
    else
      problems.push({
        reason: `TOOL_SPECS[${index}] is not an object; expected { name, description, parameters, handler }`,
      })
  }
  for (const value of Object.values(others)) {
    for (const one of Array.isArray(value) ? value : [value]) if (isToolLike(one)) specs.add(one)
  }
  return { specs: [...specs], problems }
}

/** CommonJS has everything in its default export. */
function withDefault(exported: Exports): Exports {
  const inner = exported.default
  return isRecord(inner) && 'module.exports' in exported ? { ...inner, ...exported } : exported
}

function isToolLike(value: unknown): value is Exports {
  if (!isRecord(value)) return false
  if (value.type === 'function' && isRecord(value.function)) return true
  return 'name' in value && ['execute', 'handler', 'steps'].some((member) => member in value)
}
