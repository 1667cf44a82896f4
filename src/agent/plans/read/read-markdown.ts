import { PlanError, type PlanJob } from '../../../core/plans/plan.ts'
import { nearest } from '../../../core/text/nearest.ts'
import type { Place } from '../../yaml/yaml-reader.ts'
import { PLAN_KEYS, RANGES, type ReadPlan } from './plan-source.ts'
import { openYaml, PlanMembers, readSettings } from './read-yaml.ts'

/** `- [ ] text`, with its indent. */
const ITEM = /^(\s*)[-*+] \[([ xX])\]\s+(.*)$/
/** `- key: value` below an item. */
const MEMBER = /^\s*[-*+]\s+([A-Za-z]+):\s+(.*\S)\s*$/
/** A name in front of an item: `**smtp**: …` or `` `smtp`: … ``. */
const NAMED = /^(?:\*\*([\w.-]+)\*\*|`([\w.-]+)`):?\s+(.*)$/
const FENCE = /^\s*(```|~~~)/

/** The keys of a line below an item, and the member each one gives. */
const KEYS = {
  ...{ id: 'id', check: 'check', after: 'dependsOn', dependsOn: 'dependsOn', tools: 'tools', files: 'files' },
  ...{ maxIterations: 'maxIterations', timeout: 'timeout', checkTimeout: 'checkTimeout', maxSteps: 'maxSteps' },
  maxTokens: 'maxTokens',
} as const
type Key = keyof typeof KEYS

interface Item {
  readonly line: number
  readonly indent: number
  readonly isDone: boolean
  readonly name: string | undefined
  readonly prompt: string[]
  readonly members: Map<Key, { readonly value: string; readonly place: Place }>
}

/**
 * Reads a plan written as a Markdown checklist: an item a job, lines `- check: …` below it its members, the heading and the text
 * above the first item the goal. Settings of the plan stand between lines of `---` at the top, as YAML.
 */
export function readMarkdownPlan(text: string): ReadPlan {
  const lines = text.split(/\r?\n/)
  const start =
    lines[0]?.trim() === '---' ? lines.findIndex((line, index) => index > 0 && line.trim() === '---') + 1 : 0
  const settings = start > 1 ? lines.slice(1, start - 1).join('\n') : ''
  const { plan, places } = readFront(settings)
  const { goal, items } = readLines(lines, start)
  if (!places.has('goal') && goal.place) places.set('goal', goal.place)
  const ids = new Set(items.flatMap(({ name, members }) => members.get('id')?.value ?? name ?? []))
  const jobs = items.map((item, index) => makeJob(item, { index, ids, places }))
  return { plan: { ...plan, goal: plan.goal ?? goal.text, jobs }, places }
}

function readFront(text: string) {
  if (text.trim() === '')
    return { plan: {} as { goal?: string }, places: new Map<string, Place>([['', { line: 1, column: 1 }]]) }
  // The empty line stands for the `---` above, so that places are those of the file.
  const reader = openYaml(`\n${text}`, 'settings of the plan')
  const members = new PlanMembers(reader, reader.root(['goal', ...PLAN_KEYS]))
  return { plan: { ...members.textOf('goal'), ...readSettings(members) }, places: members.places }
}

function readLines(lines: readonly string[], start: number) {
  const items: Item[] = []
  const goal: { text: string; place?: Place } = { text: '' }
  let isCode = false
  for (const [index, line] of lines.entries()) {
    if (index < start) continue
    if (FENCE.test(line)) isCode = !isCode
    const item = isCode ? undefined : readItem(line, index + 1)
    const last = items.at(-1)
    if (item && (last === undefined || item.indent <= last.indent)) items.push(item)
    else if (last) addToItem(last, line, { line: index + 1, isCode })
    else if (line.trim() !== '') {
      goal.place ??= { line: index + 1, column: 1 }
      goal.text = `${goal.text}\n${line.replace(/^#+\s+/, '')}`.trim()
    }
  }
  return { goal, items }
}

function readItem(text: string, line: number): Item | undefined {
  const [, indent = '', mark, words = ''] = ITEM.exec(text) ?? []
  if (mark === undefined) return undefined
  const [, bold, code, rest = words] = NAMED.exec(words) ?? []
  return {
    ...{ line, indent: indent.length, isDone: mark !== ' ', name: bold ?? code, prompt: [rest.trim()] },
    members: new Map(),
  }
}

/** Takes in a line below an item: one of its members, or more of its prompt. A line that is not indented is not part of it. */
function addToItem(item: Item, text: string, { line, isCode }: { readonly line: number; readonly isCode: boolean }) {
  if (text.trim() !== '' && text.length - text.trimStart().length <= item.indent) return
  const [, key = '', value = ''] = isCode ? [] : (MEMBER.exec(text) ?? [])
  if (isKey(key)) {
    const place = { line, column: text.lastIndexOf(value) + 1 }
    if (item.members.has(key)) throw wrong(`${key} is given twice`, place)
    item.members.set(key, { value: value.replace(/^`+(.*?)`+$/, '$1'), place })
    return
  }
  const [near] = key === '' ? [] : nearest(key, Object.keys(KEYS))
  if (near !== undefined)
    throw wrong(`unknown key ${JSON.stringify(key)}; did you mean ${near}?`, { line, column: text.indexOf(key) + 1 })
  item.prompt.push(text.trim())
}

function isKey(key: string): key is Key {
  return Object.hasOwn(KEYS, key)
}

interface JobPlace {
  readonly index: number
  /** The ids that are taken. */
  readonly ids: Set<string>
  readonly places: Map<string, Place>
}

function makeJob({ line, isDone, name, prompt, members, indent }: Item, { index, ids, places }: JobPlace): PlanJob {
  const where = `jobs.${index}`
  const words = prompt.join('\n').trim()
  const job: Record<string, unknown> = { id: name ?? '', prompt: words, line, ...(isDone && { isDone }) }
  for (const member of ['', '.id', '.prompt']) places.set(where + member, { line, column: indent + 1 })
  for (const [key, { value, place }] of members) {
    const member = KEYS[key]
    places.set(`${where}.${member}`, place)
    if (isNumber(member)) job[member] = readNumber(value, { member, place })
    else if (member === 'id' || member === 'check') job[member] = value
    else job[member] = value.split(',').map((word) => word.trim().replace(/^`(.*)`$/, '$1'))
  }
  if (job.id === '') job.id = nameJob(words, ids)
  return job as unknown as PlanJob
}

function isNumber(member: string): member is keyof typeof RANGES {
  return Object.hasOwn(RANGES, member)
}

function readNumber(value: string, { member, place }: { member: keyof typeof RANGES; place: Place }): number {
  const [least, most] = RANGES[member]
  const number = Number(value)
  if (Number.isInteger(number) && number >= least && number <= most) return number
  throw wrong(`${member}: expected a whole number from ${least} to ${most}`, place)
}

/** Makes an id of the first words of a job: `port-smtp-js-and`. */
function nameJob(prompt: string, ids: Set<string>): string {
  const words = prompt.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const base = words.slice(0, 4).join('-').slice(0, 40) || 'job'
  let id = base
  for (let count = 2; ids.has(id); count++) id = `${base}-${count}`
  ids.add(id)
  return id
}

function wrong(text: string, place: Place): PlanError {
  return new PlanError([{ where: '', text, ...place }])
}
