import { diffWordsWithSpace } from 'diff'
import { type ReactNode, useMemo, useState } from 'react'
import { Shown } from './shown.tsx'

interface Row {
  readonly kind: 'same' | 'added' | 'removed' | 'gap' | 'file'
  readonly text: string
  readonly before?: number
  readonly after?: number
  /** The line that took its place, or whose place it took. */
  readonly other?: string
}

/** How many rows are drawn until a person asks for all. */
const FOLD = 400

/** A unified diff as rows with line numbers; words that differ are marked. The rest of a long one is behind a button. */
export function DiffView({ diff }: { readonly diff: string }) {
  const rows = useMemo(() => readDiff(diff), [diff])
  const [opened, setOpened] = useState<string>()
  const isFolded = rows.length > FOLD && opened !== diff
  return (
    <section className="diff" aria-label="Diff">
      {(isFolded ? rows.slice(0, FOLD) : rows).map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of a diff have no identity but their place
        <DiffRow key={index} row={row} />
      ))}
      {isFolded && (
        <button type="button" className="l x more" data-folded onClick={() => setOpened(diff)}>
          Show all {rows.length.toLocaleString('en')} lines
        </button>
      )}
    </section>
  )
}

const LOOK = { same: '', added: ' a', removed: ' d' } as const
const SIGNS = { same: '', added: '+', removed: '−' } as const

function DiffRow({ row }: { readonly row: Row }) {
  if (row.kind === 'gap' || row.kind === 'file')
    return (
      <div className={row.kind === 'file' ? 'h m' : 'l x'}>
        <Shown text={row.text} isLine />
      </div>
    )
  return (
    <div className={`l${LOOK[row.kind]}`}>
      <span>{row.before ?? ''}</span>
      <span>{row.after ?? ''}</span>
      <span>{SIGNS[row.kind]}</span>
      <span>{markWords(row)}</span>
    </div>
  )
}

/** Marks the words that differ from the line that a line replaces. */
function markWords({ kind, text, other }: Row): ReactNode {
  if (other === undefined || text.length > 2_000 || other.length > 2_000) return <Shown text={text} />
  const parts = kind === 'added' ? diffWordsWithSpace(other, text) : diffWordsWithSpace(text, other)
  const own = parts.filter((part) => (kind === 'added' ? !part.removed : !part.added))
  return own.map((part, index) => {
    const Part = part.added || part.removed ? 'mark' : 'span'
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: words of a line have no identity but their place
      <Part key={index}>
        <Shown text={part.value} />
      </Part>
    )
  })
}

/** Reads a unified diff into rows. Removed and added lines of one place are paired, so that words can be compared. */
export function readDiff(diff: string): readonly Row[] {
  const rows: Row[] = []
  let before = 0
  let after = 0
  let old = ''
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,\d+)? @@/.exec(line)
    if (hunk) {
      const start = Number(hunk[1])
      const skipped = start - before - (before === 0 ? 1 : 0)
      if (skipped > 0) rows.push({ kind: 'gap', text: `${skipped} unchanged ${skipped === 1 ? 'line' : 'lines'}` })
      before = start
      after = Number(hunk[3])
    } else if (
      line.startsWith('--- ') ||
      line.startsWith('Index:') ||
      line.startsWith('===') ||
      line.startsWith('\\')
    ) {
      if (line.startsWith('--- ')) {
        before = 0
        old = nameIn(line)
      }
    } else if (line.startsWith('+++ '))
      rows.push({ kind: 'file', text: nameIn(line) === '/dev/null' ? `${old} is deleted` : nameIn(line) })
    else if (line.startsWith('+')) rows.push({ kind: 'added', text: line.slice(1), after: after++ })
    else if (line.startsWith('-')) rows.push({ kind: 'removed', text: line.slice(1), before: before++ })
    else if (line !== '' && !line.startsWith(' ')) rows.push({ kind: 'gap', text: line })
    else rows.push({ kind: 'same', text: line.slice(1), before: before++, after: after++ })
  }
  return pairLines(rows)
}

/** The path in a line such as `+++ shop/cart.py`. */
function nameIn(line: string): string {
  return line.slice(4).replace(/\t.*$/, '')
}

function pairLines(rows: readonly Row[]): readonly Row[] {
  const paired = [...rows]
  for (let start = 0; start < rows.length; start++) {
    if (rows[start]?.kind !== 'removed') continue
    let added = start
    while (rows[added]?.kind === 'removed') added++
    for (let step = 0; start + step < added && rows[added + step]?.kind === 'added'; step++) {
      const [from, to] = [rows[start + step], rows[added + step]]
      if (!from || !to) break
      paired[start + step] = { ...from, other: to.text }
      paired[added + step] = { ...to, other: from.text }
    }
    start = added
  }
  return paired
}

/** Counts the added and removed lines of a diff. */
export function countDiff(diff: string): { readonly added: number; readonly removed: number } {
  const rows = readDiff(diff)
  return {
    added: rows.filter(({ kind }) => kind === 'added').length,
    removed: rows.filter(({ kind }) => kind === 'removed').length,
  }
}
