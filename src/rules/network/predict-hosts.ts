import { hostOfUrl, isLocalName, readHost, showHost } from '../../core/network/web-host.ts'
import { resolvePath } from '../../core/text/paths.ts'
import { isConstant } from '../shell/marks.ts'
import type { ShellCommand, ShellEffect, ShellLocation, ShellReading } from '../shell/shell-reading.ts'
import { type Naming, REGISTRIES, type Registry } from './registries.ts'

/** Acts that need the network. */
const REACHING: readonly string[] = ['install', 'network', 'publish']

/** Port of ssh, which uses no proxy. */
const SSH = '22'

/** Returns the hosts that a command line would reach over HTTP, as touches name them: those it names, and those that package managers and git use. None of this machine. */
export function findHosts({ commands, effects }: ShellReading, location: ShellLocation): readonly string[] {
  const named = effects.flatMap((effect) => (effect.kind === 'connects' ? hostOf(effect) : []))
  const acts = effects.flatMap((effect) => (effect.kind === 'act' ? [effect] : []))
  const variables = acts.map(({ subject }) => subject)
  return [...new Set([...named, ...(reachesOut(effects) ? predictHosts(commands, variables, location) : [])])]
}

function reachesOut(effects: readonly ShellEffect[]): boolean {
  return effects.some((effect) => effect.kind === 'act' && REACHING.includes(effect.act))
}

/** True if a command line would use ssh, which reaches nothing from the sandbox. */
export function usesSsh({ commands, effects }: ShellReading, location: ShellLocation): boolean {
  if (effects.some((effect) => effect.kind === 'connects' && effect.port === SSH)) return true
  if (!reachesOut(effects)) return false
  return commands.some(({ name, argv }) => name === 'git' && remotesOf(argv.slice(1), location).some(isSshAddress))
}

/** Returns the hosts that package managers and git would reach without naming them. */
function predictHosts(
  commands: readonly ShellCommand[],
  variables: readonly string[],
  location: ShellLocation,
): readonly string[] {
  return commands.flatMap((command) => {
    const [, ...words] = command.argv
    if (command.name === 'git') return remotesOf(words, location).flatMap(hostsIn)
    const name = isModule(command) ? 'pip' : command.name
    const registry = REGISTRIES.find((one) => one.commands.includes(name))
    return registry === undefined ? [] : registryHosts(registry, { words, variables, location })
  })
}

function hostOf({ host, port }: ShellEffect & { kind: 'connects' }): readonly string[] {
  if (!isConstant(host) || port === SSH) return []
  const read = readHost(host)
  if (read === undefined || isLocalName(read.host) || /^(127\.|\[::1\]|0\.0\.0\.0)/.test(read.host)) return []
  return [/^\d+$/.test(port) ? showHost(read.host, Number(port)) : read.host]
}

/** `python3 -m pip install x`. */
function isModule({ name, argv }: ShellCommand): boolean {
  return /^python[\d.]*$/.test(name) && argv[1] === '-m' && argv[2] === 'pip'
}

/** What names the registries of one command. */
interface Named {
  readonly words: readonly string[]
  /** `NAME=value`, for variables that the command line sets. */
  readonly variables: readonly string[]
  readonly location: ShellLocation
}

function registryHosts(registry: Registry, { words, variables, location }: Named): readonly string[] {
  const { options = {}, variables: named = {}, usual } = registry
  // `--registry URL` is read as `--registry=URL`.
  const pairs = words.flatMap((word, index) => [word, `${word}=${words[index + 1] ?? ''}`])
  const texts = [
    ...pairs.map((text) => ({ text, naming: options })),
    ...variables.map((text) => ({ text, naming: named })),
    ...readFiles(registry, pairs, location),
  ]
  const find = (kind: 'replaces' | 'adds') =>
    texts.flatMap(({ text, naming }) => (naming[kind] ? addressesIn(text, naming[kind]) : [])).flatMap(hostsIn)
  const [replaced, added] = [find('replaces'), find('adds').filter((host) => !usual.includes(host))]
  return [...(replaced.length > 0 ? replaced : usual), ...added, ...words.flatMap(hostsIn)]
}

function readFiles(
  { files = {}, furtherFiles }: Registry,
  pairs: readonly string[],
  { workspace, cwd, readSettings }: ShellLocation,
): readonly { readonly text: string; readonly naming: Naming }[] {
  const { option = /(?!)/, naming = {} } = furtherFiles ?? {}
  const further = pairs.flatMap((text) => addressesIn(text, option))
  return [
    ...Object.entries(files).map(([file, naming]) => ({ path: `${workspace}/${file}`, naming })),
    ...further.map((file) => ({ path: resolvePath(cwd, file), naming })),
  ].flatMap(({ path, naming }) => {
    const text = readSettings?.(path)
    return text === undefined ? [] : [{ text, naming }]
  })
}

/** What the first group of a pattern holds, wherever it matches. */
function addressesIn(text: string, pattern: RegExp): readonly string[] {
  const all = pattern.global ? [...text.matchAll(pattern)] : [pattern.exec(text)]
  return all.flatMap((match) => (match?.[1] ? [match[1]] : []))
}

/** The addresses that a command of git reaches: those it names, else the remotes of the repository. */
function remotesOf(words: readonly string[], { workspace, readSettings }: ShellLocation): readonly string[] {
  if (!words.some((word) => /^(clone|fetch|pull|push|ls-remote|submodule|lfs|remote|archive)$/.test(word))) return []
  const named = words.filter((word) => hostsIn(word).length > 0 || isSshAddress(word))
  if (named.length > 0) return named
  const files = ['.git/config', ...(words.includes('submodule') ? ['.gitmodules'] : [])]
  return files.flatMap((file) =>
    addressesIn(readSettings?.(`${workspace}/${file}`) ?? '', /^\s*(?:push)?url\s*=(.*)$/gim),
  )
}

/** `git@example.com:x.git` and `ssh://example.com/x.git`. */
function isSshAddress(address: string): boolean {
  return /^\s*((git\+)?ssh:\/\/|[\w.-]+@[\w.-]+:)/i.test(address)
}

/** The hosts of the web addresses in a text, such as `git+https://example.com/x`. */
function hostsIn(text: string): readonly string[] {
  return [...text.matchAll(/https?:\/\/[^\s"',|]+/gi)].flatMap(([address]) => {
    const url = isConstant(address) ? URL.parse(address) : null
    if (url === null || isLocalName(url.hostname)) return []
    return [showHost(hostOfUrl(url).replace(/:\d+$/, ''), url.port === '' ? 80 : Number(url.port))]
  })
}
