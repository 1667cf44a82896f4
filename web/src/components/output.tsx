import { useState } from 'react'
import { Shown } from './shown.tsx'

/** How many lines of a folded output are shown. */
const FOLDED = 10
/** The most characters that are put into the page. */
const MOST = 200_000

/** Output of a call: its last lines while it runs, its first ten once it has ended, all on request. */
export function Output({ text, isLive = false }: { readonly text: string; readonly isLive?: boolean }) {
  const [isWhole, setWhole] = useState(false)
  const trimmed = text.replace(/\n$/, '')
  const lines = trimmed.split('\n')
  const count = isLive ? 5 : FOLDED
  const isFolded = !isWhole && lines.length > count
  const shown = isFolded ? (isLive ? lines.slice(-count) : lines.slice(0, count)).join('\n') : trimmed
  return (
    <>
      <pre className="out">
        {isFolded && isLive && (
          <span className="qq">
            … {lines.length - count} lines above{'\n'}
          </span>
        )}
        <Shown text={shown.slice(-MOST)} />
      </pre>
      {lines.length > count && (
        <div className="more">
          <button type="button" className="linkish" onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Show less' : `Show all ${lines.length} lines`}
          </button>
        </div>
      )}
    </>
  )
}
