import { globExpression, isGlob, MARKS, showText } from '../shell/marks.ts'
import type { ShellPlace } from '../shell/shell-reading.ts'
import { ZONES, type ZoneName } from './zones.ts'

/** Where a path lies: the zones it is or may be in, and where it stands to the workspace. */
export interface PathZones {
  readonly zones: ReadonlySet<ZoneName>
  /** `inside` the workspace, an `ancestor` of it, elsewhere in a `home` folder, `outside` of both, or `unknown`. */
  readonly area: 'inside' | 'ancestor' | 'home' | 'outside' | 'unknown'
}

/** Haft's own folder beside where the command runs. */
export interface ZonePlace extends ShellPlace {
  readonly haftHome: string
}

const NAMES = Object.keys(ZONES) as ZoneName[]
/** Most paths lie in no zone: one joined expression says so. */
const ANY_ZONE = new RegExp(NAMES.map((name) => ZONES[name].pattern.source).join('|'))
/** Zones that the end of a path alone tells. */
const TOLD_BY_END: readonly ZoneName[] = ['secret', 'startup', 'hooks', 'trusted', 'sensitive', 'repository', 'records']

/** An unknown part may hold slashes and dots: the path may lead anywhere. */
const UNKNOWN_PART = /[\uE000\uE005\uE006]/

const kept = new WeakMap<ZonePlace, Map<string, PathZones>>()

/** The zones of an absolute path that may hold marks. The last thousand answers of a place are kept. */
export function zonesOf(path: string, place: ZonePlace): PathZones {
  const answers = kept.get(place) ?? new Map<string, PathZones>()
  const known = answers.get(path)
  if (known !== undefined) return known
  const found = findZones(path, place)
  if (answers.size >= 1_000) answers.clear()
  answers.set(path, found)
  kept.set(place, answers)
  return found
}

function findZones(path: string, place: ZonePlace): PathZones {
  const isRooted = path.startsWith('/')
  const forms = isRooted ? [formOf(path, place)] : unknownForms(path)
  const names = forms.some((form) => ANY_ZONE.test(form)) ? (isRooted ? NAMES : TOLD_BY_END) : []
  const zones = new Set(names.filter((name) => forms.some((form) => ZONES[name].pattern.test(form))))
  const isListed = path.includes(MARKS.deep) && isInside(path, place)
  if (isRooted && isGlob(path) && !isListed) addSampled(zones, path, place)
  if (isBelow(place.haftHome, path)) zones.add('haft')
  return { zones, area: isRooted ? areaOf(path, place) : 'unknown' }
}

/** Both are absolute and without `..` already. */
function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

/** A workspace that holds the home folder protects nothing in it: what lies there counts as outside. */
function isInside(path: string, place: ShellPlace): boolean {
  return isBelow(place.workspace, path) && !isBelow(place.workspace, place.home)
}

/** A path in the form the zones are written in. */
function formOf(path: string, place: ShellPlace): string {
  const shown = showText(path)
  if (isInside(shown, place)) return `.${shown.slice(place.workspace.length)}`
  return isBelow(place.home, shown) ? `~${shown.slice(place.home.length)}` : shown
}

/** A path whose start is unknown may begin anywhere: its known end counts. */
function unknownForms(path: string): string[] {
  const rest = showText(path).replace(/^[^/]*/, '')
  return rest === '' ? [] : [`~${rest}`, `.${rest}`, `…${rest}`].filter((form) => form.length > 2)
}

/** Globs are in every zone that has a sample they match. */
function addSampled(zones: Set<ZoneName>, path: string, place: ShellPlace): void {
  const expression = globExpression(path)
  for (const name of NAMES) {
    const hit = ZONES[name].samples.some((sample) => expression.test(fullPath(sample, place)))
    if (hit) zones.add(name)
  }
}

function fullPath(sample: string, place: ShellPlace): string {
  if (sample.startsWith('~')) return place.home + sample.slice(1)
  return sample.startsWith('.') ? place.workspace + sample.slice(1) : sample
}

function areaOf(path: string, place: ShellPlace): PathZones['area'] {
  if (UNKNOWN_PART.test(path)) return 'unknown'
  if (isInside(path, place)) return 'inside'
  if (isBelow(path, place.workspace) || isAncestorGlob(path, place)) return 'ancestor'
  return isBelow(place.home, path) || /^\/(home|Users|root)(\/|$)/.test(path) ? 'home' : 'outside'
}

/** A glob beside the workspace may name it or a folder above it. */
function isAncestorGlob(path: string, place: ShellPlace): boolean {
  if (!isGlob(path)) return false
  const expression = globExpression(path)
  const folders = place.workspace.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'))
  return folders.some((folder) => folder !== '' && expression.test(folder))
}
