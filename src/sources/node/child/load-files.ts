import { pathToFileURL } from 'node:url'
import { messageOf } from '../../../core/call/result.ts'
import { listUndescribed } from '../../list-undescribed.ts'
import type { FileProblem, FileText, LoadedFile, ToolDescription } from '../protocol.ts'
import { findNameLine, findThrownLine } from './find-line.ts'
import type { LoadedTool } from './loaded-tool.ts'
import { readExports } from './read-exports.ts'
import { describeSchema } from './read-tool.ts'

/** The tools of all files, by file and name. */
export type ToolTable = Map<string, Map<string, LoadedTool>>

/** Imports the files one after another and puts their tools into the table. */
export async function loadFiles(files: readonly FileText[], table: ToolTable): Promise<readonly LoadedFile[]> {
  const loaded: LoadedFile[] = []
  for (const one of files) {
    loaded.push(await loadFile(one, table))
  }
  return loaded
}

async function loadFile(given: FileText, table: ToolTable): Promise<LoadedFile> {
  const { file, text } = given
  try {
    const exported: Record<string, unknown> = await import(pathToFileURL(file).href)
    const { tools, problems } = readExports(exported, text)
    const described = describeAll(tools, text)
    table.set(file, new Map(tools.map((tool) => [tool.name, tool])))
    return { file, tools: described.tools, problems: [...problems, ...described.problems], isBroken: false }
  } catch (thrown) {
    const line = findThrownLine(thrown, given)
    const problem = { ...(line !== undefined && { line }), reason: explainThrown(thrown) }
    return { file, tools: [], problems: [problem], isBroken: true }
  }
}

function explainThrown(thrown: unknown): string {
  const message = messageOf(thrown)
  if (!(thrown instanceof Error) || !('code' in thrown)) {
    return thrown instanceof SyntaxError ? `it has a syntax error: ${message}` : `it could not be loaded: ${message}`
  }
  if (thrown.code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX')
    return `it uses TypeScript that has to be compiled, which Node does not do: ${message}. Use what can be erased: no enum, namespace or parameter property`
  return thrown instanceof SyntaxError ? `it has a syntax error: ${message}` : `it could not be loaded: ${message}`
}

function describeAll(
  tools: readonly LoadedTool[],
  text: string,
): { readonly tools: readonly ToolDescription[]; readonly problems: readonly FileProblem[] } {
  const described: ToolDescription[] = []
  const problems: FileProblem[] = []
  for (const tool of tools) {
    const line = findNameLine(text, tool.name)
    const place = line === undefined ? {} : { line }
    try {
      const made = describe(tool)
      described.push({ ...made, ...place })
      for (const reason of listUndescribed(made.name, made.parameters))
        problems.push({ ...place, reason, isWarning: true })
    } catch (thrown) {
      problems.push({ ...place, reason: messageOf(thrown) })
    }
  }
  return { tools: described, problems }
}

const FUNCTIONS = ['touches', 'approval', 'prepare', 'timeout', 'steps'] as const

/** A tool without its functions: what JSON carries. */
function describe(tool: LoadedTool): ToolDescription {
  const { name, description, effect, main, aliases, idempotent, endsRun, approval, timeout } = tool
  const { json, vendor } = describeSchema(tool.input, 'input', name)
  const described: ToolDescription = {
    name,
    description,
    parameters: json,
    ...(vendor !== undefined && { vendor }),
    ...(tool.output !== undefined && { output: describeSchema(tool.output, 'output', name).json }),
    ...(effect !== undefined && { effect }),
    ...(main !== undefined && { main }),
    ...(aliases !== undefined && { aliases }),
    ...(idempotent !== undefined && { idempotent }),
    ...(endsRun !== undefined && { endsRun }),
    ...(typeof approval === 'boolean' && { approval }),
    ...(typeof timeout === 'number' && { timeout }),
    functions: FUNCTIONS.filter((member) => typeof tool[member] === 'function'),
  }
  // A description that JSON cannot carry is a problem of its tool, not of the message with all tools.
  JSON.stringify(described)
  return described
}
