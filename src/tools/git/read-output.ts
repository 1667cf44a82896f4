import type { SchemaInput } from '../../core/tool/schema.ts'
import type { CHANGED_FILE, COMMIT } from './git-schemas.ts'

export type ChangedFile = SchemaInput<typeof CHANGED_FILE>
export type Commit = SchemaInput<typeof COMMIT>

/** Reads `--numstat -z`: added, removed and path of each file; a renamed one has its two paths after it. */
export function readNumstat(text: string): readonly ChangedFile[] {
  const fields = text.split('\0')
  const files: ChangedFile[] = []
  for (let at = 0; at < fields.length; at++) {
    const [, added = '', removed = '', path = ''] = /^\n?(\d+|-)\t(\d+|-)\t(.*)$/s.exec(fields[at] ?? '') ?? []
    if (added === '') continue
    const counts = { added: Number(added) || 0, removed: Number(removed) || 0, ...(added === '-' && { binary: true }) }
    if (path !== '') files.push({ path, ...counts })
    else files.push({ path: fields[at + 2] ?? '', from: fields[at + 1] ?? '', ...counts })
    if (path === '') at += 2
  }
  return files
}

/** The fields of a commit, in the order of `COMMIT_FORMAT`. */
export const COMMIT_FORMAT = '%H%x1f%an <%ae>%x1f%aI%x1f%P%x1f%D%x1f%s%x1f%b%x1e'

/** Reads commits printed with COMMIT_FORMAT. */
export function readCommits(text: string): readonly Commit[] {
  return text.split('\x1e').flatMap((record) => {
    const [commit = '', author = '', date = '', parents = '', refs = '', subject = '', body = ''] = record
      .replace(/^[\n\0]+/, '')
      .split('\x1f')
    if (!/^[0-9a-f]{40,64}$/.test(commit)) return []
    return [
      {
        ...{ commit, author, date, subject, body: body.trim() },
        parents: parents.split(' ').filter(Boolean),
        refs: refs.split(', ').filter(Boolean),
      },
    ]
  })
}

/** One line for each changed file: `+3 -1 path`. */
export function describeFiles(files: readonly ChangedFile[]): string {
  return files
    .map(({ path, from, added, removed, binary }) => {
      const counts = binary ? 'binary' : `+${added} -${removed}`
      return `${counts} ${from === undefined ? path : `${from} → ${path}`}`
    })
    .join('\n')
}

/** A commit as text: name, author and date, message. */
export function describeCommit({ commit, author, date, refs, subject, body }: Commit): string {
  const names = refs.length > 0 ? ` (${refs.join(', ')})` : ''
  const message = [subject, ...(body === '' ? [] : ['', body])].map((line) => line.replace(/^(?=.)/gm, '    '))
  return [`commit ${commit}${names}`, `Author: ${author}`, `Date:   ${date}`, '', ...message].join('\n')
}
