import { type ReactNode, useEffect } from 'react'

interface Props {
  readonly title: string
  readonly heading?: ReactNode
  readonly actions?: ReactNode
  readonly className?: string
  /** On a phone, `detail` shows the second of two panes. */
  readonly view?: 'detail' | undefined
  readonly children: ReactNode
}

/** A page: its one heading, what can be done on it, and its body. */
export function Page({ title, heading, actions, className = '', view, children }: Props) {
  useEffect(() => {
    const count = /^\(\d+\) /.exec(document.title)?.[0] ?? ''
    document.title = `${count}${title} · Haft`
  }, [title])
  return (
    <div className={`col grow ${className}`} style={{ minHeight: 0 }} data-view={view}>
      <header className="top">
        {heading ?? <h1 className="cut">{title}</h1>}
        <span className="grow" />
        {actions}
      </header>
      {children}
    </div>
  )
}
