import type { PathLookup } from '../../core/ports/path-lookup.ts'
import { isOwnProgram } from '../../core/rules/trusted-files.ts'
import { globExpression, isGlob, MARKS, showText } from '../shell/marks.ts'
import type { ShellLocation } from '../shell/shell-reading.ts'
import { ZONES, type ZoneName } from './zones.ts'

/** The zones that a path is or may be in, and its relation to the workspace. */
export interface PathZones {
  readonly zones: ReadonlySet<ZoneName>
  /** Zones of which a listing of everything below a folder merely contains a part. */
  readonly contains: ReadonlySet<ZoneName>
  /** Zones of files that a search below a folder asks for by name. */
  readonly named: ReadonlySet<ZoneName>
  /** `inside` the workspace, an `ancestor` of it, elsewhere in a `home` folder, `outside` of both, or `unknown`. */
  readonly area: 'inside' | 'ancestor' | 'home' | 'outside' | 'unknown'
}

/** Where a call is judged: where its commands run, and Haft's own folder and ports. */
export interface JudgeLocation extends ShellLocation {
  readonly haftHome: string
  readonly haftPorts: readonly string[]
  /** Tells what exists in the workspace. */
  readonly lookup: PathLookup
  /** Programs of the workspace that run outside the sandbox, relative to it. */
  ownPrograms?(): readonly string[]
}

const NAMES = Object.keys(ZONES) as ZoneName[]
/** A quick test, since most paths are in no zone. */
const ANY_ZONE = new RegExp(NAMES.map((name) => ZONES[name].pattern.source).join('|'), 'i')
/** The zones that can be recognized by the end of a path. */
const KNOWN_BY_END: readonly ZoneName[] = [
  'secret',
  'startup',
  'hooks',
  'trusted',
  'sensitive',
  'repository',
  'records',
]

/** The marks of unknown text, which may contain slashes and dots, so that the path may be anywhere. */
const UNKNOWN_PART = /[\uE000\uE005\uE006]/

/** A search whose pattern begins with the start of a name. */
const NAMED_FILE = /\/[^/\uE000-\uE00F]{3}[^/]*$/

/** The answer for most paths: in the workspace and in no zone. One object, so that the rules that fit it are found once. */
const PLAIN: PathZones = { zones: new Set(), contains: new Set(), named: new Set(), area: 'inside' }

const NO_PROGRAMS: readonly string[] = []

/** The answers of a location, and the list of own programs that they were found with. */
interface Kept {
  readonly own: readonly string[]
  readonly answers: Map<string, PathZones>
}

const kept = new WeakMap<JudgeLocation, Kept>()

/** Returns the zones of an absolute path, which may contain marks. Caches up to a thousand results for each location. */
export function zonesOf(path: string, location: JudgeLocation): PathZones {
  const own = location.ownPrograms?.() ?? NO_PROGRAMS
  const before = kept.get(location)
  const answers = before?.own === own ? before.answers : new Map<string, PathZones>()
  const known = answers.get(path)
  if (known !== undefined) return known
  const found = findZones(path, location, own)
  if (answers.size >= 1_000) answers.clear()
  answers.set(path, found)
  if (before?.own !== own) kept.set(location, { own, answers })
  return found
}

function findZones(path: string, location: JudgeLocation, own: readonly string[]): PathZones {
  const isRooted = path.startsWith('/')
  const forms = isRooted ? [formOf(path, location)] : unknownForms(path)
  const names = forms.some((form) => ANY_ZONE.test(form)) ? (isRooted ? NAMES : KNOWN_BY_END) : []
  const zones = new Set(names.filter((name) => forms.some((form) => ZONES[name].pattern.test(form))))
  const isListed = path.includes(MARKS.deep) && isInside(path, location)
  const contains = new Set(zones)
  const named = new Set<ZoneName>()
  if (isRooted && isGlob(path) && !isListed) {
    const isDeep = path.includes(MARKS.deep)
    addSampled(isDeep ? contains : zones, path, location)
    if (isDeep && NAMED_FILE.test(path)) addSampled(named, path, location)
  }
  if (isBelow(location.haftHome, path)) zones.add('haft')
  const inside = path.slice(location.workspace.length + 1)
  if (inside !== '' && isInside(path, location) && isOwnProgram(inside, own)) zones.add('trusted')
  const area = isRooted ? areaOf(path, location) : 'unknown'
  if (area === 'inside' && zones.size + contains.size + named.size === 0) return PLAIN
  return { zones, contains, named: new Set([...zones, ...named]), area }
}

/** Expects absolute paths without `..`. */
function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

/** True for a path in the workspace. When the workspace contains the home folder, nothing counts as inside. */
function isInside(path: string, location: ShellLocation): boolean {
  return isBelow(location.workspace, path) && !isBelow(location.workspace, location.home)
}

/** Returns a path in the form that zone patterns use. */
function formOf(path: string, location: ShellLocation): string {
  const shown = showText(path)
  if (isInside(shown, location)) return `.${shown.slice(location.workspace.length)}`
  return isBelow(location.home, shown) ? `~${shown.slice(location.home.length)}` : shown
}

/** Returns the possible forms of a path with an unknown start. */
function unknownForms(path: string): string[] {
  const rest = showText(path).replace(/^[^/]*/, '')
  return rest === '' ? [] : [`~${rest}`, `.${rest}`, `…${rest}`].filter((form) => form.length > 2)
}

/** Adds every zone with a sample that the glob matches. */
function addSampled(zones: Set<ZoneName>, path: string, location: ShellLocation): void {
  const expression = globExpression(path)
  for (const name of NAMES) {
    const hit = ZONES[name].samples.some((sample) => expression.test(fullPath(sample, location)))
    if (hit) zones.add(name)
  }
}

function fullPath(sample: string, location: ShellLocation): string {
  if (sample.startsWith('~')) return location.home + sample.slice(1)
  return sample.startsWith('.') ? location.workspace + sample.slice(1) : sample
}

function areaOf(path: string, location: ShellLocation): PathZones['area'] {
  if (UNKNOWN_PART.test(path)) return 'unknown'
  if (isInside(path, location)) return 'inside'
  if (isBelow(path, location.workspace) || isAncestorGlob(path, location)) return 'ancestor'
  return isBelow(location.home, path) || /^\/(home|Users|root)(\/|$)/.test(path) ? 'home' : 'outside'
}

/** True for a glob that may match the workspace or a folder above it. */
function isAncestorGlob(path: string, location: ShellLocation): boolean {
  if (!isGlob(path)) return false
  const expression = globExpression(path)
  const folders = location.workspace.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'))
  return folders.some((folder) => folder !== '' && expression.test(folder))
}
