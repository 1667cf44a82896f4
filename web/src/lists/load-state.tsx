import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Problem } from '../components/problem.tsx'

interface Props {
  readonly query: { readonly error: Error | null; readonly isPending: boolean; refetch(): unknown }
  /** What is being loaded: `tools`. */
  readonly what: string
  readonly isEmpty: boolean
  /** What an empty list teaches. */
  readonly empty: ReactNode
  /** Where a whole page is empty: its icon, and one line above what it teaches. */
  readonly Icon?: LucideIcon
  readonly title?: string
}

/** What stands in place of a list that is loading, empty, or cannot be loaded; nothing while it has rows. */
export function LoadState({ query, what, isEmpty, empty, Icon, title }: Props) {
  if (query.error)
    return (
      <div className="pad">
        <Problem text={`The ${what} cannot be loaded: ${query.error.message}`}>
          <button type="button" className="linkish" onClick={() => query.refetch()}>
            Try again
          </button>
        </Problem>
      </div>
    )
  if (query.isPending)
    return (
      <p className="pad q" role="status">
        Loading the {what}…
      </p>
    )
  if (!isEmpty) return null
  if (Icon === undefined) return <div className="pad q">{empty}</div>
  return (
    <div className="empty">
      <Icon className="i" strokeWidth={1.75} aria-hidden="true" />
      <p className="b">{title}</p>
      <p className="q">{empty}</p>
    </div>
  )
}
