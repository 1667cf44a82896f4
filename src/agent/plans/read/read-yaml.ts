import type { JobPlan, PlanJob } from '../../../core/plans/plan.ts'
import { PlanError } from '../../../core/plans/plan.ts'
import { MODES, type Mode } from '../../../core/session/mode.ts'
import { type Members, type Place, YamlReader } from '../../yaml/yaml-reader.ts'
import { JOB_KEYS, PLAN_KEYS, RANGES, type ReadPlan } from './plan-source.ts'

/** Reads a plan written as YAML or JSON. Throws PlanError where it has another shape. */
export function readYamlPlan(text: string): ReadPlan {
  const reader = openYaml(text, 'goal and jobs')
  const members = new PlanMembers(reader, reader.root(['goal', ...PLAN_KEYS, 'jobs']))
  const { places } = members
  const plan = readSettings(members)
  const goal = members.text('goal') ?? ''
  const jobs = members.nodes('jobs', 'jobs').map((node, index) => readJob(reader, node, { index, places }))
  return { plan: { goal, ...plan, jobs }, places }
}

/** Opens a YAML text whose mismatches are PlanErrors. */
export function openYaml(text: string, expected: string): YamlReader {
  return new YamlReader({
    ...{ text, expected },
    fail: (wrong, place) => new PlanError([{ where: '', text: wrong, ...place }]),
  })
}

/** Reads the members of a plan beside its goal and jobs. */
export function readSettings(members: PlanMembers): Omit<JobPlan, 'goal' | 'jobs'> {
  return {
    ...members.textOf('model'),
    ...readMode(members),
    ...members.listOf('tools'),
    ...members.listOf('mcpServers'),
    ...members.flagOf('manual'),
    ...members.flagOf('checkOff'),
    ...members.numberOf('timeout'),
    ...members.numberOf('maxSteps'),
    ...members.numberOf('maxTokens'),
  }
}

function readMode(members: PlanMembers): { mode?: Mode } {
  const given = members.text('mode')
  if (given === undefined) return {}
  const mode = MODES.find((one) => one === given)
  if (mode === undefined) throw members.wrong('mode', `expected ${MODES.join(', ')}`)
  return { mode }
}

function readJob(reader: YamlReader, node: unknown, at: { readonly index: number; places: Map<string, Place> }) {
  const { index, places } = at
  const what = `job ${index + 1}`
  const members = new PlanMembers(reader, reader.members(node, what, JOB_KEYS), {
    what,
    where: `jobs.${index}`,
    places,
  })
  const job: PlanJob = {
    id: members.text('id') ?? '',
    prompt: members.text('prompt') ?? '',
    ...members.listOf('tools'),
    ...members.listOf('dependsOn'),
    ...members.textOf('check'),
    ...members.numberOf('checkTimeout'),
    ...members.numberOf('maxIterations'),
    ...members.numberOf('timeout'),
    ...members.numberOf('maxSteps'),
    ...members.numberOf('maxTokens'),
    ...members.listOf('files'),
  }
  return job
}

/** Reads the members of one mapping and notes their places. */
export class PlanMembers {
  readonly places: Map<string, Place>
  readonly #reader: YamlReader
  readonly #found: Members['found']
  readonly #what: string
  readonly #where: string

  constructor(
    reader: YamlReader,
    { node, found }: Members,
    { what = '', where = '', places = new Map<string, Place>() } = {},
  ) {
    this.#reader = reader
    this.#found = found
    this.#what = what === '' ? '' : `${what}: `
    this.#where = where === '' ? '' : `${where}.`
    this.places = places
    places.set(where, reader.placeOf(node))
    for (const [key, value] of found) places.set(this.#where + key, reader.placeOf(value))
  }

  text(key: string): string | undefined {
    const node = this.#found.get(key)
    return this.#found.has(key) ? this.#reader.text(node, this.#what + key) : undefined
  }

  textOf<Key extends string>(key: Key): { [K in Key]?: string } {
    const text = this.text(key)
    return (text === undefined ? {} : { [key]: text }) as { [K in Key]?: string }
  }

  flagOf<Key extends string>(key: Key): { [K in Key]?: boolean } {
    if (!this.#found.has(key)) return {}
    return { [key]: this.#reader.boolean(this.#found.get(key), this.#what + key) } as { [K in Key]?: boolean }
  }

  numberOf<Key extends keyof typeof RANGES>(key: Key): { [K in Key]?: number } {
    if (!this.#found.has(key)) return {}
    const number = this.#reader.number(this.#found.get(key), this.#what + key, RANGES[key])
    return { [key]: number } as { [K in Key]?: number }
  }

  nodes(key: string, what: string): readonly unknown[] {
    return this.#found.has(key) ? this.#reader.list(this.#found.get(key), what) : []
  }

  listOf<Key extends string>(key: Key): { [K in Key]?: readonly string[] } {
    if (!this.#found.has(key)) return {}
    const what = this.#what + key
    const words = this.#reader.list(this.#found.get(key), what).map((node, index) => {
      this.places.set(`${this.#where}${key}.${index}`, this.#reader.placeOf(node))
      return this.#reader.text(node, what)
    })
    return { [key]: words as readonly string[] } as { [K in Key]?: readonly string[] }
  }

  wrong(key: string, text: string): Error {
    return this.#reader.wrong(this.#found.get(key), `${this.#what}${key}: ${text}`)
  }
}
