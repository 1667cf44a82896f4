import { type ReactNode, useEffect, useState } from 'react'
import { printable } from '../../../src/core/text/printable.ts'
import { CopyButton } from './copy/copy-button.tsx'

/** Code with its language highlighted once the highlighter is loaded; plain until then. */
export function CodeBlock({ code, language }: { readonly code: string; readonly language?: string | undefined }) {
  const [done, setDone] = useState<{ readonly code: string; readonly lines: ReactNode }>()
  const safe = printable(code)
  useEffect(() => {
    let isOver = false
    if (language === undefined || safe.length > 50_000) return
    import('./prose/highlight.tsx')
      .then(({ highlight }) => highlight(safe, language))
      .then((lines) => isOver || lines === undefined || setDone({ code: safe, lines }))
      .catch(() => undefined)
    return () => {
      isOver = true
    }
  }, [safe, language])
  // While code is being written, what was highlighted stays so, and the rest follows plain.
  const isBeginning = done !== undefined && safe.startsWith(done.code)
  return (
    <div className="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>
          {isBeginning ? done.lines : safe}
          {isBeginning && safe.slice(done.code.length)}
        </code>
      </pre>
      <CopyButton text={code} label="Copy code" className="copy" />
    </div>
  )
}
