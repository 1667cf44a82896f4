import { Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { printable } from '../../../src/core/text/printable.ts'

/** Code with its language highlighted once the highlighter is loaded; plain until then. */
export function CodeBlock({ code, language }: { readonly code: string; readonly language?: string | undefined }) {
  const [lines, setLines] = useState<ReactNode>()
  const [isCopied, setCopied] = useState(false)
  const safe = printable(code)
  useEffect(() => {
    let isOver = false
    setLines(undefined)
    if (language === undefined || safe.length > 50_000) return
    import('./highlight.tsx')
      .then(({ highlight }) => highlight(safe, language))
      .then((made) => isOver || setLines(made))
      .catch(() => undefined)
    return () => {
      isOver = true
    }
  }, [safe, language])
  const copy = () => {
    navigator.clipboard?.writeText(code).then(
      () => {
        setCopied(true)
        setTimeout(() => setCopied(false), 1_500)
      },
      () => undefined,
    )
  }
  const Icon = isCopied ? Check : Copy
  return (
    <div className="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{lines ?? safe}</code>
      </pre>
      <button type="button" className="btn bare ico copy" onClick={copy} aria-label={isCopied ? 'Copied' : 'Copy code'}>
        <Icon className="i s" strokeWidth={1.75} aria-hidden="true" />
      </button>
    </div>
  )
}
