import { dirname } from 'node:path'
import type { GrantOffer } from '../core/approval/grant.ts'
import type { ValidCall } from '../core/call/call.ts'
import type { CallReading } from '../core/rules/rule.ts'
import { insidePath } from '../core/text/paths.ts'
import { isPlainLine } from './cover-commands.ts'
import { harmlessAfter } from './harmless-arguments.ts'

/** The reading of the call, and its workspace. */
interface Offered {
  readonly reading: CallReading
  readonly workspace: string
  /** The digest of the call's tool, schema, arguments and workspace. */
  readonly digest: string
}

/** The most commands in one line for which a prefix grant is offered. */
const MAX_PREFIXES = 5

/** Returns the grants that would cover a call, the narrowest first. Each covers only this tool in this workspace. */
export function offerGrants({ entry }: ValidCall, { reading, workspace, digest }: Offered): readonly GrantOffer[] {
  const { touches } = reading
  const offers: GrantOffer[] = [{ scope: { kind: 'exact', digest }, text: 'exactly this call' }]
  const paths = touches.flatMap((touch) => ('path' in touch ? [touch.path] : []))
  const hosts = touches.flatMap((touch) => (touch.kind === 'connects' ? [touch.host] : []))
  if (touches.length === 0) offers.push({ scope: { kind: 'tool' }, text: `any call of ${entry.tool.name}` })
  else if (touches.some(({ kind }) => kind === 'runs')) offers.push(...offerPrefix(reading, hosts))
  else if (paths.length === touches.length) offers.push(...offerFolder(paths, workspace))
  else if (hosts.length === touches.length)
    offers.push({ scope: { kind: 'host', hosts }, text: `the host ${hosts.join(', ')}` })
  return offers
}

function offerPrefix({ commands, touches, isClear }: CallReading, hosts: readonly string[]): GrantOffer[] {
  const plain = commands.every(({ argv, isExact }) => argv.length > 0 && isExact)
  if (!isClear || !plain || commands.length === 0 || commands.length > MAX_PREFIXES) return []
  const prefixes = commands.map(({ argv }) => argv)
  if (!touches.every((touch) => touch.kind !== 'runs' || isPlainLine(touch, prefixes))) return []
  const words = [...new Set(prefixes.map((prefix) => prefix.join(' ')))]
  const harmless = prefixes.some((prefix) => harmlessAfter(prefix))
    ? ', also with options that only change its output'
    : ''
  return [{ scope: { kind: 'prefix', prefixes, hosts }, text: `the command ${words.join(', ')}${harmless}` }]
}

/** Offers the folder that contains all paths. */
function offerFolder(paths: readonly string[], workspace: string): GrantOffer[] {
  const folders = new Set(paths.map((path) => dirname(insidePath(workspace, path) ?? '/')))
  const [folder = '/'] = folders
  if (folders.size !== 1 || folder.startsWith('/') || folder.startsWith('..')) return []
  const text = folder === '.' ? 'anything in the workspace' : `anything in ${folder}/`
  return [{ scope: { kind: 'folder', folder }, text }]
}
