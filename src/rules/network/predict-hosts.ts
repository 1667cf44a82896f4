import { hostOfUrl, isLocalName, readHost, showHost } from '../../core/network/web-host.ts'
import { isConstant } from '../shell/marks.ts'
import type { ShellCommand, ShellEffect, ShellLocation, ShellReading } from '../shell/shell-reading.ts'

/** The hosts that package managers use, by command. */
const NPM = ['registry.npmjs.org']
const PYTHON = ['pypi.org', 'files.pythonhosted.org']
const RUST = ['index.crates.io', 'static.crates.io', 'crates.io']
const GO = ['proxy.golang.org', 'sum.golang.org', 'storage.googleapis.com']
const RUBY = ['rubygems.org', 'index.rubygems.org']
const PHP = ['repo.packagist.org', 'packagist.org', 'api.github.com', 'codeload.github.com']

const REGISTRIES: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ['npm', 'npx', 'pnpm', 'pnpx', 'bun', 'bunx', 'ncu', 'npm-check-updates'].map((name) => [name, NPM]),
  ),
  yarn: [...NPM, 'registry.yarnpkg.com'],
  corepack: [...NPM, 'repo.yarnpkg.com'],
  ...Object.fromEntries(
    ['pip', 'pip3', 'pipx', 'uv', 'uvx', 'poetry', 'pipenv', 'pdm', 'hatch', 'rye'].map((name) => [name, PYTHON]),
  ),
  cargo: RUST,
  go: GO,
  gem: RUBY,
  bundle: RUBY,
  bundler: RUBY,
  composer: PHP,
}

/** Acts that need the network. */
const REACHING: readonly string[] = ['install', 'network', 'publish']

/** Options that name another registry in place of the usual one. */
const OTHER_REGISTRY = /^(--registry|-i|--index-url|--default-index|--index)(?:=(.*))?$/s

/** Port of ssh, which uses no proxy. */
const SSH = '22'

/** Returns the hosts that a command line would reach over HTTP, as touches name them: those it names, and those that package managers and git use. None of this machine. */
export function findHosts({ commands, effects }: ShellReading, location: ShellLocation): readonly string[] {
  const named = effects.flatMap((effect) => (effect.kind === 'connects' ? hostOf(effect) : []))
  const reaches = effects.some((effect) => effect.kind === 'act' && REACHING.includes(effect.act))
  return [...new Set([...named, ...(reaches ? predictHosts(commands, location) : [])])]
}

/** Returns the hosts that package managers and git would reach without naming them. */
export function predictHosts(commands: readonly ShellCommand[], location: ShellLocation): readonly string[] {
  return commands.flatMap((command) => {
    const [, ...words] = command.argv
    if (isModule(command)) return registryHosts('pip', words, location)
    if (command.name === 'git') return gitHosts(words, location)
    return command.name in REGISTRIES ? registryHosts(command.name, words, location) : []
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

function registryHosts(name: string, words: readonly string[], location: ShellLocation): readonly string[] {
  const others = words.flatMap((word, index) => {
    const [, option, value] = OTHER_REGISTRY.exec(word) ?? []
    return option === undefined ? [] : hostsIn(value ?? words[index + 1] ?? '')
  })
  const set = REGISTRIES[name] === NPM || name === 'yarn' ? readRegistry(location) : []
  const usual = others.length > 0 ? others : set.length > 0 ? set : (REGISTRIES[name] ?? [])
  return [...usual, ...words.flatMap((word) => hostsIn(word))]
}

/** The registries that the project's own settings name. */
function readRegistry({ workspace, readSettings }: ShellLocation): readonly string[] {
  const npmrc = readSettings?.(`${workspace}/.npmrc`) ?? ''
  const yarnrc = readSettings?.(`${workspace}/.yarnrc.yml`) ?? ''
  const lines = [
    ...npmrc.matchAll(/^\s*(?:@[^\s:]+:)?registry\s*=(.*)$/gm),
    ...yarnrc.matchAll(/^\s*npmRegistryServer:(.*)$/gm),
  ]
  const found = lines.flatMap(([, value = '']) => hostsIn(value))
  // A registry for one scope leaves the usual one for all others.
  const isScoped = found.length > 0 && !/^\s*registry\s*=/m.test(npmrc) && !/npmRegistryServer/.test(yarnrc)
  return isScoped ? [...NPM, ...found] : found
}

/** The remotes of the repository, where a command of git names no address. Those that use ssh cannot be reached. */
function gitHosts(words: readonly string[], { workspace, readSettings }: ShellLocation): readonly string[] {
  const named = words.flatMap((word) => hostsIn(word))
  if (named.length > 0 || !words.some((word) => /^(fetch|pull|push|ls-remote|submodule|lfs|remote)$/.test(word)))
    return named
  const files = ['.git/config', ...(words.includes('submodule') ? ['.gitmodules'] : [])]
  return files.flatMap((file) => {
    const text = readSettings?.(`${workspace}/${file}`) ?? ''
    return [...text.matchAll(/^\s*(?:push)?url\s*=(.*)$/gim)].flatMap(([, value = '']) => hostsIn(value))
  })
}

/** The host of a web address in a word, such as `git+https://example.com/x`. */
function hostsIn(word: string): readonly string[] {
  const [address] = /https?:\/\/[^\s"']+/i.exec(word) ?? []
  const url = address === undefined || !isConstant(address) ? null : URL.parse(address)
  if (url === null || isLocalName(url.hostname)) return []
  return [showHost(hostOfUrl(url).replace(/:\d+$/, ''), url.port === '' ? 80 : Number(url.port))]
}
