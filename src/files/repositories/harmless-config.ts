import { isDeepStrictEqual } from 'node:util'
import { type GitConfig, parseGitConfig } from './git-config.ts'

/** The keys that change what git shows or records, and never make it run a program or read another configuration. */
const HARMLESS: readonly RegExp[] = [
  /^core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|sparsecheckout|sparsecheckoutcone|autocrlf|safecrlf|eol|abbrev|quotepath|untrackedcache|commitgraph|multipackindex|compression)$/,
  /^extensions\.(worktreeconfig|objectformat|refstorage|noop)$/,
  /^index\.(version|sparse|threads)$/,
  /^user\.(name|email)$/,
  /^(author|committer)\.(name|email)$/,
  /^init\.defaultbranch$/,
  /^(push\.(default|autosetupremote|followtags)|pull\.(rebase|ff)|merge\.(ff|conflictstyle)|rebase\.(autostash|autosquash)|fetch\.prune|rerere\.(enabled|autoupdate)|checkout\.defaultremote|advice\.[a-z]+|color\.[a-z.]+|branch\.(autosetupmerge|autosetuprebase|sort))$/,
  /^branch\..+\.(rebase|description)$/,
  /^remote\..+\.(fetch|prune|tagopt)$/,
  /^submodule\..+\.(active|branch|ignore)$/,
  /^lfs\.repositoryformatversion$/,
]

/** Keys that name another repository. */
const URL_KEYS = /^(remote\..+\.(url|pushurl)|submodule\..+\.url)$/
const REMOTE_NAME_KEYS = /^(branch\..+\.(remote|pushremote)|remote\.pushdefault)$/

/** Where the work tree of a submodule lies; git follows it. */
const WORK_TREE = 'core.worktree'

/** What must be known about a configuration besides its text. */
export interface ConfigLocation {
  /** True for a value of `core.worktree` that stays inside the workspace. */
  staysInside(workTree: string): boolean
}

/** True when no difference between the two configurations can make git run a program or use another repository than before. */
export function isHarmlessConfigChange(before: string, after: string, location: ConfigLocation): boolean {
  if (before === after) return true
  const [old, now] = [parseGitConfig(before), parseGitConfig(after)]
  if (old === undefined || now === undefined) return false
  return sameUnsafe(old, now, location) && sameUrls(old, now) && samePushes(old, now)
}

/** Compares all settings that are not known to be harmless, in their order: the last of several counts. */
function sameUnsafe(old: GitConfig, now: GitConfig, location: ConfigLocation): boolean {
  const unsafe = (config: GitConfig) =>
    JSON.stringify(config.filter(([key, value]) => !isHarmless(key, value, location)))
  return unsafe(old) === unsafe(now)
}

function isHarmless(key: string, value: string, { staysInside }: ConfigLocation): boolean {
  if (URL_KEYS.test(key)) return isPlainUrl(value)
  if (REMOTE_NAME_KEYS.test(key)) return isPlainUrl(value)
  if (/^branch\..+\.merge$/.test(key)) return value.startsWith('refs/')
  if (key === WORK_TREE) return staysInside(value)
  return HARMLESS.some((harmless) => harmless.test(key))
}

/** `helper::address` runs the program git-remote-helper, and a leading dash would be read as an option. */
const isPlainUrl = (url: string): boolean => !url.includes('::') && !url.startsWith('-')

/** The remotes that branches push to may be set only to remotes that were there, and changed only to others with the same addresses: a later push must not go elsewhere. */
function samePushes(old: GitConfig, now: GitConfig): boolean {
  const known = new Set(old.filter(([key]) => URL_KEYS.test(key)).map(([, url]) => url))
  const urlsOf = (config: GitConfig, remote: string) =>
    config.filter(([key]) => key === `remote.${remote}.url` || key === `remote.${remote}.pushurl`).map(([, url]) => url)
  return now.every(([key, remote]) => {
    if (!REMOTE_NAME_KEYS.test(key) || remote === '.') return true
    const was = old.findLast(([one]) => one === key)?.[1]
    if (was === remote) return true
    const urls = urlsOf(now, remote)
    // A new repository, such as a clone, has only new remotes.
    const isKnown = old.length === 0 || urls.every((url) => known.has(url))
    if (urls.length === 0 || !isKnown) return false
    if (was !== undefined) return isDeepStrictEqual(urlsOf(old, was), urls)
    return key.startsWith('branch.') && !key.endsWith('.pushremote')
  })
}

/** A remote may be added, removed or renamed; one that stays keeps its addresses, so that a push goes where it went before. */
function sameUrls(old: GitConfig, now: GitConfig): boolean {
  const keys = new Set([...old, ...now].map(([key]) => key).filter((key) => URL_KEYS.test(key)))
  const values = (config: GitConfig, key: string) => config.filter(([one]) => one === key).map(([, value]) => value)
  return [...keys].every((key) => {
    const [was, is] = [values(old, key), values(now, key)]
    const name = key.slice(0, key.lastIndexOf('.'))
    const wasKnown = old.some(([one]) => one.startsWith(`${name}.`) && URL_KEYS.test(one))
    const isKnown = now.some(([one]) => one.startsWith(`${name}.`) && URL_KEYS.test(one))
    return !wasKnown || !isKnown || JSON.stringify(was) === JSON.stringify(is)
  })
}
