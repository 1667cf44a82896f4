import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Shown } from './shown.tsx'

/** Says what went wrong; `children` is the way on. */
export function Problem({
  text,
  code,
  children,
}: {
  readonly text: string
  readonly code?: string
  readonly children?: ReactNode
}) {
  return (
    <div className="note bad" role="alert">
      <CircleAlert className="i" strokeWidth={1.75} aria-hidden="true" />
      <span className="grow">
        <Shown text={text} /> {code && <code className="qq">{code}</code>} {children}
      </span>
    </div>
  )
}
