/** What happened to a file. */
export const CHANGE_KINDS = [
  ...['added', 'changed', 'deleted', 'renamed', 'copied', 'type-changed', 'unmerged', 'untracked'],
] as const

export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** One file that differs from the last commit. */
export interface StatusFile {
  readonly path: string
  readonly from?: string
  readonly staged?: ChangeKind
  readonly unstaged?: ChangeKind
}

/** The state of a repository. */
export interface Status {
  readonly branch?: string
  readonly commit?: string
  readonly upstream?: string
  readonly ahead?: number
  readonly behind?: number
  readonly files: readonly StatusFile[]
  readonly more?: boolean
}

/** The most files of a status. */
const MAX_FILES = 2_000

const KINDS: Readonly<Record<string, ChangeKind>> = {
  A: 'added',
  M: 'changed',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type-changed',
  U: 'unmerged',
}

/** Reads the output of `git status --porcelain=v2 --branch -z`. */
export function readStatus(text: string, isCut: boolean): Status {
  const fields = text.split('\0')
  const last = isCut ? fields.length - 1 : fields.length
  const files: StatusFile[] = []
  let head: Omit<Status, 'files'> = {}
  for (let at = 0; at < last; at++) {
    const field = fields[at] ?? ''
    if (field.startsWith('# ')) head = { ...head, ...readHead(field) }
    else if (field.startsWith('? ')) files.push({ path: field.slice(2), unstaged: 'untracked' })
    else if (field.startsWith('1 ')) files.push(readChange(field, 8))
    else if (field.startsWith('u ')) files.push({ path: partsAfter(field, 10), unstaged: 'unmerged' })
    else if (field.startsWith('2 ')) files.push({ ...readChange(field, 9), from: fields[++at] ?? '' })
  }
  const isMore = isCut || files.length > MAX_FILES
  return { ...head, files: files.slice(0, MAX_FILES), ...(isMore && { more: true }) }
}

function readHead(field: string): Omit<Status, 'files'> {
  const [, name = '', value = ''] = /^# branch\.(\S+) (.*)$/s.exec(field) ?? []
  if (name === 'oid' && value !== '(initial)') return { commit: value }
  if (name === 'head' && value !== '(detached)') return { branch: value }
  if (name === 'upstream') return { upstream: value }
  const [, ahead, behind] = name === 'ab' ? (/^\+(\d+) -(\d+)$/.exec(value) ?? []) : []
  return ahead === undefined ? {} : { ahead: Number(ahead), behind: Number(behind) }
}

function readChange(field: string, words: number): StatusFile {
  const staged = KINDS[field[2] ?? '']
  const unstaged = KINDS[field[3] ?? '']
  return { path: partsAfter(field, words), ...(staged && { staged }), ...(unstaged && { unstaged }) }
}

/** What follows a number of words; a path may hold spaces. */
function partsAfter(field: string, words: number): string {
  return field.split(' ').slice(words).join(' ')
}

/** The state as text: the branch, then the files in groups. */
export function describeStatus({ branch, commit, upstream, ahead = 0, behind = 0, files, more }: Status): string {
  const name = branch === undefined ? `HEAD detached at ${commit?.slice(0, 10)}` : `On branch ${branch}`
  const start = commit === undefined ? ', no commits yet' : ''
  const distance = [...(ahead > 0 ? [`${ahead} ahead`] : []), ...(behind > 0 ? [`${behind} behind`] : [])].join(', ')
  const against =
    upstream === undefined ? '' : `, ${distance === '' ? 'up to date with' : `${distance} of`} ${upstream}`
  const untracked = files.filter(({ unstaged }) => unstaged === 'untracked')
  const groups = [
    groupOf('Staged', files, ({ staged }) => staged),
    groupOf('Not staged', files, ({ unstaged }) => (unstaged === 'untracked' ? undefined : unstaged)),
    untracked.length > 0 ? `Untracked:\n${untracked.map(({ path }) => `  ${path}`).join('\n')}` : '',
    more ? '[there are more files]' : '',
  ].filter((group) => group !== '')
  return [
    `${name}${start}${against}`,
    ...(files.length === 0 ? ['Nothing to commit, working tree clean'] : groups),
  ].join('\n')
}

function groupOf(
  title: string,
  files: readonly StatusFile[],
  kindOf: (file: StatusFile) => ChangeKind | undefined,
): string {
  const lines = files.flatMap((file) => {
    const kind = kindOf(file)
    const from = kind === 'renamed' || kind === 'copied' ? `${file.from} → ` : ''
    return kind === undefined ? [] : [`  ${kind} ${from}${file.path}`]
  })
  return lines.length === 0 ? '' : `${title}:\n${lines.join('\n')}`
}
