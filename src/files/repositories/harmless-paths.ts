import { isDeepStrictEqual } from 'node:util'
import { parseGitConfig } from './git-config.ts'
import { type ConfigLocation, isHarmlessConfigChange } from './harmless-config.ts'
import { isHarmlessIndex } from './harmless-index.ts'
import { isObjectPath, isReplacement, isSoundObject, listReplacements } from './harmless-objects.ts'

/** A path of a git folder at one moment. */
export interface GitEntry {
  readonly type: 'file' | 'folder' | 'link' | 'other'
  /** The content of a file. */
  text(): string
  /** The content of a file of any size; undefined where it cannot be read. */
  bytes(): Uint8Array | undefined
}

/** A change of one path inside a git folder. */
export interface GitChange extends ConfigLocation {
  /** Relative to the git folder. */
  readonly inner: string
  readonly before: GitEntry | undefined
  readonly after: GitEntry | undefined
  /** True for the folder of a linked work tree, `worktrees/NAME` of another git folder. */
  readonly isWorkTree: boolean
  /** True for a repository that had no objects before: nothing of it is known yet. */
  readonly isNew: boolean
  /** True for a path that `gitdir` of a linked work tree may name. */
  isWorkTreeFile(path: string): boolean
  /** True for a path, named from the folder `objects`, that stays inside the workspace. */
  isObjectFolder(path: string): boolean
  /** Returns how many bytes a hash of the repository has. */
  hashLength(): number
}

/** Files that git reads as data, at the top of a git folder. */
const DATA_FILES =
  /^(HEAD|[A-Z_]+_HEAD|packed-refs|shallow|description|[A-Z]+(_EDIT)?_?MSG|MERGE_(MODE|RR|AUTOSTASH)|AUTO_MERGE|BISECT_[A-Z_]+|gc\.(pid|log)|locked|HEAD\.lock|index\.lock|packed-refs\.lock|config\.lock|config\.worktree\.lock)$/

/** The paths that `git checkout .` writes. */
const INDEX_FILES = /^(index|sharedindex\.[0-9a-f]+)$/

/** Other folders in which git looks for objects. */
const ALTERNATES = /^objects\/info\/(http-)?alternates$/

/** Refs that have no file of their own. */
const PACKED_REFS = 'packed-refs'

/** The paths of a bisection, which `git bisect visualize` hands to a shell. */
const BISECTED = 'BISECT_NAMES'
const QUOTED_WORDS = /^( ?'[^'\\]*')*\n?$/

/** The options of an unfinished cherry-pick; a strategy or a signature would name a program. */
const SEQUENCER_OPTIONS = 'sequencer/opts'
const SAFE_OPTION =
  /^options\.(no-commit|edit|allow-empty|allow-empty-message|keep-redundant-commits|signoff|record-origin|allow-ff|mainline|allow-rerere-auto|default-msg-cleanup|commit-use-reference)$/

/** Folders that hold only data. */
const DATA_FOLDERS = /^(objects|refs|logs|reftable|rr-cache|rebase-apply|lost-found)(\/|$)/
const INFO_FILES = /^info\/(exclude|refs|sparse-checkout)$/

/** Folders that may exist; what is in them is checked by itself. */
const PLAIN_FOLDERS = /^(info|hooks|branches|worktrees(\/[^/]+)?|modules(\/.+)?|rebase-merge|sequencer)$/

/** Unfinished rebases and cherry-picks: their lists of steps are run when they are continued. */
const STEPS = /^(rebase-merge\/(git-rebase-todo(\.backup)?|done)|sequencer\/todo)$/
const SAFE_STEP =
  /^\s*($|#|(pick|p|reword|r|edit|e|squash|s|fixup|f|drop|d|revert|label|l|reset|t|merge|m|break|b|noop|update-ref|u)(\s|$))/
const REBASE_DATA = /^(rebase-merge\/(?!strategy|gpg_sign_opt)[\w.-]+(\/[\w.-]+)*|sequencer\/(head|abort-safety))$/

/** True when a change inside a git folder can only change what git shows and records, never what it runs. */
export function isHarmlessInGit(change: GitChange): boolean {
  const { inner, after } = change
  if (after === undefined) return isHarmlessDeletion(change)
  if (inner === '') return after.type === 'folder'
  if (ALTERNATES.test(inner)) return after.type === 'file' && areKnownAlternates(change, after.text())
  if (isObjectPath(inner) && !change.isNew) return after.type === 'file' && isSoundObject(inner, after.bytes())
  if (isReplacement(inner)) return after.type === 'folder' || isSameText(change, after)
  if (DATA_FOLDERS.test(inner)) return after.type === 'file' || after.type === 'folder'
  if (after.type === 'folder') return PLAIN_FOLDERS.test(inner) || REBASE_DATA.test(inner)
  return after.type === 'file' && isHarmlessFile(change, after)
}

function isHarmlessFile(change: GitChange, after: GitEntry): boolean {
  const { inner, before, isWorkTree } = change
  if (INDEX_FILES.test(inner)) return isHarmlessIndex(after.bytes() ?? new Uint8Array(), change.hashLength())
  if (inner === BISECTED) return QUOTED_WORDS.test(after.text())
  if (inner === SEQUENCER_OPTIONS) return areSafeOptions(after.text())
  if (inner === PACKED_REFS) return hasSameReplacements(before, after)
  if (DATA_FILES.test(inner) || INFO_FILES.test(inner)) return true
  if (STEPS.test(inner))
    return after
      .text()
      .split('\n')
      .every((line) => SAFE_STEP.test(line))
  if (REBASE_DATA.test(inner)) return true
  if (inner === 'config' || inner === 'config.worktree')
    return isHarmlessConfigChange(textOf(before), after.text(), change)
  // Git runs no sample; one that is there may be somebody's own.
  if (/^hooks\/[\w-]+\.sample$/.test(inner)) return before === undefined || before.text() === after.text()
  if (!isWorkTree) return false
  if (inner === 'commondir') return after.text().trim() === '../..'
  return inner === 'gitdir' && change.isWorkTreeFile(after.text().trim())
}

/** A repository that was there takes objects from no further folder: it may hold others under the names of known ones. */
function areKnownAlternates({ before, isNew, isObjectFolder }: GitChange, text: string): boolean {
  const linesOf = (from: string) => from.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const known = new Set(linesOf(textOf(before)))
  return linesOf(text).every((line) => known.has(line) || (isNew && !line.startsWith('"') && isObjectFolder(line)))
}

function isSameText({ before }: GitChange, after: GitEntry): boolean {
  return after.type === 'file' && before?.type === 'file' && before.text() === after.text()
}

function hasSameReplacements(before: GitEntry | undefined, after: GitEntry | undefined): boolean {
  const [was, is] = [before, after].map((entry) => (entry === undefined ? [] : listReplacements(entry.bytes())))
  return was !== undefined && is !== undefined && isDeepStrictEqual(was, is)
}

function areSafeOptions(text: string): boolean {
  return parseGitConfig(text)?.every(([key]) => SAFE_OPTION.test(key)) === true
}

/** Nothing that a person set up may be removed; a linked work tree and the `.git` file that leads to one may. */
function isHarmlessDeletion({ inner, before, isWorkTree }: GitChange): boolean {
  if (inner === '') return isWorkTree || before?.type === 'file'
  if (isWorkTree) return true
  if (inner === 'worktrees') return true
  if (isReplacement(inner)) return before?.type === 'folder'
  if (inner === PACKED_REFS) return hasSameReplacements(before, undefined)
  return (
    DATA_FILES.test(inner) ||
    INDEX_FILES.test(inner) ||
    DATA_FOLDERS.test(inner) ||
    /^(rebase-merge|sequencer)(\/|$)/.test(inner) ||
    INFO_FILES.test(inner) ||
    (inner === 'config.worktree' && isHarmlessConfigChange(textOf(before), '', NOWHERE))
  )
}

const NOWHERE: ConfigLocation = { staysInside: () => false }

const textOf = (entry: GitEntry | undefined): string => (entry?.type === 'file' ? entry.text() : '')
