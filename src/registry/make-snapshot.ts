import type { JsonSchema } from '../core/text/json.ts'
import { nearest } from '../core/text/nearest.ts'
import {
  type Checked,
  type DefinitionFormat,
  type Issue,
  isControl,
  type RegisteredTool,
  type Skipped,
  type Snapshot,
} from '../core/tool/snapshot.ts'
import { definitionsOf } from './definitions.ts'
import { Entry } from './entry.ts'
import { findValidator, makeValidators } from './schema/validators.ts'

/** How many selections a snapshot remembers. */
const MAX_SELECTIONS = 64

const FINE: readonly Issue[] = Object.freeze([])

/** Makes an immutable snapshot. `names` maps ids, wire names and aliases, and must not change afterwards. */
export function makeSnapshot(
  names: ReadonlyMap<string, Entry>,
  tools: readonly Entry[],
  skipped: readonly Skipped[],
): Snapshot {
  const kept = new Map<DefinitionFormat, string>()
  let selections = new Map<string, Snapshot>()
  return Object.freeze({
    tools,
    skipped,
    find: (name: string) => names.get(name),
    nearest: (name: string) => [...new Set(nearest(name, [...names.keys()]).map((found) => offeredName(found, names)))],
    only(chosen: readonly string[] | undefined, mcpServers?: readonly string[], isExact = false) {
      const key = JSON.stringify([chosen, mcpServers, isExact])
      const known = selections.get(key)
      if (known) return known
      const made = selectTools({ names, tools, skipped }, { chosen, mcpServers, isExact })
      // Sessions mostly have one of a few selections; they share its definitions and validators.
      if (selections.size >= MAX_SELECTIONS) selections = new Map()
      selections.set(key, made)
      return made
    },
    withServers(later: Snapshot, mcpServers?: readonly string[]) {
      return replaceServers({ names, tools, skipped }, later, mcpServers) ?? this
    },
    definitions(format: DefinitionFormat) {
      let text = kept.get(format)
      if (text === undefined) {
        text = definitionsOf(tools, format)
        kept.set(format, text)
      }
      return text
    },
    check(entry: RegisteredTool, input: unknown) {
      const ready = findValidator(entry.parameters)
      return ready ? ready(input) : checkFirst(entry, entry.parameters, input)
    },
    checkOutput(entry: RegisteredTool, data: unknown) {
      const { output } = entry
      if (output === undefined) return FINE
      const ready = findValidator(output)
      const checked = ready ? ready(data) : checkFirst(entry, output, data)
      return checked instanceof Promise ? checked.then(({ issues }) => issues) : checked.issues
    },
  })
}

interface Tools {
  readonly names: ReadonlyMap<string, Entry>
  readonly tools: readonly Entry[]
  readonly skipped: readonly Skipped[]
}

interface Selection {
  readonly chosen: readonly string[] | undefined
  readonly mcpServers: readonly string[] | undefined
  readonly isExact: boolean
}

function selectTools({ names, tools, skipped }: Tools, { chosen, mcpServers, isExact }: Selection): Snapshot {
  const wanted = chosen && new Set(chosen.map((name) => findTool(name, names)))
  const isWanted = (entry: Entry) => {
    if (entry.origin === 'mcp' && !(isExact && wanted?.has(entry)))
      return mcpServers?.includes(entry.source) ?? !isExact
    return wanted?.has(entry) ?? true
  }
  const hasAny = tools.some((entry) => !isControl(entry) && isWanted(entry))
  const kept = tools.filter((entry) => (isExact ? isWanted(entry) : hasAny && (isControl(entry) || isWanted(entry))))
  const isKept = new Set(kept)
  return makeSnapshot(new Map([...names].filter(([, entry]) => isKept.has(entry))), Object.freeze(kept), skipped)
}

/** Undefined where the tools of the servers are the same. */
function replaceServers(
  { names, tools, skipped }: Tools,
  later: Snapshot,
  mcpServers: readonly string[] | undefined,
): Snapshot | undefined {
  const own = tools.filter(({ origin }) => origin !== 'mcp')
  const isTaken = new Set(own.flatMap(({ tool, wireName }) => [tool.name, wireName]))
  const joining = later.tools
    .filter(({ origin, source }) => origin === 'mcp' && (mcpServers?.includes(source) ?? true))
    .filter((entry): entry is Entry => entry instanceof Entry)
    .filter(({ tool, wireName }) => !isTaken.has(tool.name) && !isTaken.has(wireName))
  const before = tools.filter(({ origin }) => origin === 'mcp')
  const isSame = before.length === joining.length && before.every(({ tool }, at) => joining[at]?.tool === tool)
  if (isSame) return undefined
  // A selection of nothing has no control tools either; with the first tool of a server they come back.
  const control =
    own.length > 0 ? [] : later.tools.filter((entry): entry is Entry => entry instanceof Entry && isControl(entry))
  const kept = [...own, ...control, ...joining]
  const added = [...control, ...joining].flatMap((entry) => [
    [entry.tool.name, entry] as const,
    [entry.wireName, entry] as const,
  ])
  const others = [...names].filter(([, { origin }]) => origin !== 'mcp')
  return makeSnapshot(new Map([...added, ...others]), Object.freeze(kept), skipped)
}

function findTool(name: string, names: ReadonlyMap<string, Entry>): Entry {
  const entry = names.get(name)
  if (entry) return entry
  const near = nearest(name, [...names.keys()]).slice(0, 3)
  throw new Error(
    `there is no tool ${JSON.stringify(name)}${near.length > 0 ? `; did you mean ${near.join(' or ')}?` : ''}`,
  )
}

/** Returns the tool's own name for an alias, since aliases are not offered. */
function offeredName(name: string, names: ReadonlyMap<string, Entry>): string {
  const entry = names.get(name)
  return entry === undefined || entry.isOfferedAs(name) ? name : entry.tool.name
}

/** Makes the validators of a tool at its first check. */
async function checkFirst(entry: RegisteredTool, schema: JsonSchema, value: unknown): Promise<Checked> {
  const made = await makeValidators(entry)
  const validator = made.get(schema)
  if (validator === undefined) throw new Error(`the schema does not belong to ${entry.tool.name}`)
  return validator(value)
}
