import type { CallSummary, SummaryKind, SummaryRow } from '../../core/approval/call-summary.ts'
import type { PreparedCall } from '../../core/call/call.ts'
import type { ReviewedChange } from '../../core/ports/sandbox.ts'
import { insidePath } from '../../core/text/paths.ts'
import { isBelieved } from '../../core/tool/snapshot.ts'
import type { Touch } from '../../core/tool/touch.ts'
import type { Judged } from '../judge/judged.ts'
import { canDryRun } from './dry-run.ts'

/** What a command line does that leaves the machine for good. */
const SENDS: readonly string[] = ['publish', 'upload']
const NETWORK: readonly string[] = ['network', 'listen', 'install', 'download-run', ...SENDS]

/** The most paths that one row names. */
const NAMED = 8

/** Summarises what a call would do, from its touches and what was read in its command lines. */
export function summariseCall(prepared: PreparedCall, judged: Judged, workspace: string): CallSummary {
  const rows = rowsOf(judged, workspace)
  const undo = undoRow(prepared, judged, rows)
  const { commands } = judged.reading
  return {
    sentence: prepared.summary ?? sentenceOf(prepared, judged, rows, workspace),
    rows: [...rows.map(({ kind, text, tone }) => ({ kind, text, ...(tone && { tone }) })), undo],
    commands: commands.map(({ text, isExact }) => ({ text, isExact })),
    canUndo: undo.tone !== 'bad',
  }
}

/** Summarises what a command that has run really changed. */
export function summariseChange({ files: { added, changed, deleted } }: ReviewedChange): CallSummary {
  const count = added.length + changed.length + deleted.length
  const rows: SummaryRow[] = [
    ...rowOf('deletes', deleted, 'bad'),
    ...rowOf('changes', changed),
    ...rowOf('creates', added),
    { kind: 'undo', text: 'possible after the changes are applied', tone: 'quiet' },
  ]
  const sentence = `Apply ${count} ${count === 1 ? 'change' : 'changes'}?`
  return { sentence, rows, commands: [], canUndo: true }
}

interface Row extends SummaryRow {
  readonly items: readonly string[]
}

function rowOf(kind: SummaryKind, items: readonly string[], tone?: 'bad'): Row[] {
  if (items.length === 0) return []
  const left = items.length - NAMED
  const text = [...items.slice(0, NAMED), ...(left > 0 ? [`and ${left} more`] : [])].join(', ')
  return [{ kind, text, items, ...(tone && { tone }) }]
}

function rowsOf({ touches, reading, learned }: Judged, workspace: string): Row[] {
  const found: Record<'deletes' | 'changes' | 'creates' | 'reads', Set<string>> = {
    ...{ deletes: new Set(), changes: new Set(), creates: new Set(), reads: new Set() },
  }
  let leaves = false
  for (const touch of reading.touches) {
    if (!('path' in touch)) continue
    const inside = insidePath(workspace, touch.path)
    if (inside === undefined && touch.path.startsWith('/dev/')) continue
    if (inside === undefined && touch.kind !== 'reads') leaves = true
    const shown = inside ?? touch.path
    const kind = touch.kind === 'writes' ? (learned?.[shown] === 'none' ? 'creates' : 'changes') : touch.kind
    if (touch.kind === 'deletes' && touch.isMove) continue
    found[kind].add(learned?.[shown] === 'folder' ? `${shown}/` : shown)
  }
  const hosts = reading.touches.flatMap((touch) => (touch.kind === 'connects' ? [touch.host] : []))
  const sends = reading.acts.some((act) => SENDS.includes(act))
  const connects = hosts.length > 0 || reading.acts.some((act) => NETWORK.includes(act))
  const isCommand = touches.some(({ kind }) => kind === 'runs')
  return [
    ...rowOf('deletes', [...found.deletes], 'bad'),
    ...rowOf('changes', [...found.changes], leaves ? 'bad' : undefined),
    ...rowOf('creates', [...found.creates], leaves ? 'bad' : undefined),
    ...(sends ? rowOf('sends', hosts.length > 0 ? hosts : ['another machine'], 'bad') : []),
    ...rowOf('runs', runsOf(reading.commands)),
    ...rowOf('reads', [...found.reads]),
    ...(connects && !sends ? rowOf('network', hosts.length > 0 ? hosts : ['another machine']) : []),
    ...(connects || !isCommand ? [] : [quietRow('network', 'none, the sandbox is closed')]),
  ]
}

function quietRow(kind: SummaryKind, text: string): Row {
  return { kind, text, items: [], tone: 'quiet' }
}

/** Names the programs of a command line, each once. */
function runsOf(commands: readonly { readonly text: string }[]): readonly string[] {
  return [...new Set(commands.map(({ text }) => text))]
}

function undoRow({ call, cannotUndo }: PreparedCall, { touches, reading }: Judged, rows: readonly Row[]): SummaryRow {
  const { entry, shown } = call
  const bad = (text: string): SummaryRow => ({ kind: 'undo', text, tone: 'bad' })
  const quiet = (text: string): SummaryRow => ({ kind: 'undo', text, tone: 'quiet' })
  if (cannotUndo) return bad('not possible: it replaces or deletes more than can be kept')
  if (
    !isBelieved(entry.origin) ||
    (entry.origin !== 'built-in' && touches.length === 0 && entry.tool.effect !== 'none')
  )
    return bad(`not possible: Haft cannot see what this tool does. It says: ${entry.tool.effect}`)
  if (shown.live === true) return bad('not possible: a live command works on the workspace itself')
  if (reading.acts.some((act) => SENDS.includes(act))) return bad('not possible for what is sent')
  if (canDryRun(entry)) return quiet('possible: changes are applied when the command ends')
  const changes = rows.some(({ kind }) => kind === 'deletes' || kind === 'changes' || kind === 'creates')
  return changes ? quiet('possible: Haft keeps the old content') : quiet('not needed: it changes nothing')
}

/** Says in one sentence what would happen: at most two effects, the worst first. */
function sentenceOf({ call, preview }: PreparedCall, judged: Judged, rows: readonly Row[], workspace: string): string {
  const { touches } = judged
  const { tool } = call.entry
  const command = touches.find((touch): touch is Extract<Touch, { kind: 'runs' }> => touch.kind === 'runs')
  const verbs = rows.flatMap((row) => phraseOf(row, preview?.kind === 'diff' ? preview.text : undefined))
  if (command !== undefined) {
    const destroys = verbs.filter(({ kind }) => kind === 'deletes' || kind === 'sends').map(({ text }) => text)
    return capitalise([...destroys.slice(0, 2), ...runPhrase(command.command, judged, destroys)].join(', then '))
  }
  const move = moveOf(touches, workspace, judged)
  if (move !== undefined) return move
  const told = verbs.filter(({ kind }) => kind !== 'reads' || verbs.length === 1).map(({ text }) => text)
  if (told.length === 0) return `Call ${code(tool.name)}`
  const more = told.length > 2 ? ` and ${told.length - 2} more` : ''
  return capitalise(`${told.slice(0, 2).join(', then ')}${more}`)
}

/** Commands whose whole effect is that they delete: what they delete says it all. */
const DELETES_ONLY = /^(rm|rmdir|unlink)\s/

/** What a command line runs, beside the deletions that are named already. */
function runPhrase(command: string, { reading }: Judged, destroys: readonly string[]): readonly string[] {
  if (!reading.isClear) return ['run a command that Haft cannot read in full']
  if (destroys.length === 0) return [`run ${code(command)}`]
  const others = reading.commands.filter(({ text }) => !DELETES_ONLY.test(text))
  if (others.length === reading.commands.length) return [`run ${code(command)}`]
  const [first, ...more] = others
  if (first === undefined) return []
  return [`run ${code(first.text)}${more.length > 0 ? ` and ${more.length} more` : ''}`]
}

interface Phrase {
  readonly kind: SummaryKind
  readonly text: string
}

function phraseOf({ kind, items, tone }: Row, diff: string | undefined): Phrase[] {
  const [first] = items
  if (first === undefined || tone === 'quiet') return []
  const more = items.length > 1 ? ` and ${items.length - 1} more` : ''
  const object = `${first.endsWith('/') && kind === 'deletes' ? 'the folder ' : ''}${code(first)}${more}`
  if (kind === 'changes' && diff !== undefined && items.length === 1) return [{ kind, text: changeOf(diff, object) }]
  const verb = VERBS[kind]
  return verb === undefined ? [] : [{ kind, text: `${verb} ${object}` }]
}

const VERBS: Readonly<Partial<Record<SummaryKind, string>>> = {
  ...{ deletes: 'delete', changes: 'change', creates: 'create', sends: 'send data to' },
  ...{ reads: 'read', network: 'connect to' },
}

/** Counts the lines that a diff changes: of removed and added ones the larger number. */
function changeOf(diff: string, object: string): string {
  const lines = diff.split('\n')
  const removed = lines.filter((line) => line.startsWith('-') && !line.startsWith('---')).length
  const added = lines.filter((line) => line.startsWith('+') && !line.startsWith('+++')).length
  const count = Math.max(removed, added)
  return count === 0 ? `change ${object}` : `change ${count} ${count === 1 ? 'line' : 'lines'} in ${object}`
}

/** The sentence of a tool that moves one path to another. */
function moveOf(touches: readonly Touch[], workspace: string, { learned }: Judged): string | undefined {
  const from = touches.find((touch) => touch.kind === 'deletes' && touch.isMove)
  const to = touches.find((touch) => touch.kind === 'writes')
  if (from === undefined || to === undefined || !('path' in from) || !('path' in to)) return undefined
  const shown = (path: string) => insidePath(workspace, path) ?? path
  const isOver = learned?.[shown(to.path)] !== 'none'
  return `Move ${code(shown(from.path))} ${isOver ? 'over' : 'to'} ${code(shown(to.path))}`
}

function code(text: string): string {
  return `\`${text.replaceAll('`', 'ˋ')}\``
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
