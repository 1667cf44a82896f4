import { Fragment } from 'react'
import { printable, printableLine } from '../../../src/core/text/printable.ts'

const ESCAPED = /(\\u\{[0-9a-f]+\})/

/** Text from a model or tool: invisible and bidirectional characters are shown as `\u{…}` in red, never sent to the page. */
export function Shown({ text, isLine = false }: { readonly text: string; readonly isLine?: boolean }) {
  const safe = isLine ? printableLine(text) : printable(text)
  if (safe === text) return <>{text}</>
  return (
    <>
      {safe.split(ESCAPED).map((part, index) => (
        // The parts have no identity of their own: their order is all there is.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Fragment key={index}>{ESCAPED.test(part) ? <span className="esc">{part}</span> : part}</Fragment>
      ))}
    </>
  )
}

/** A sentence of Haft in which parts between backticks are literal text of a call. */
export function Sentence({ text }: { readonly text: string }) {
  return (
    <>
      {text.split('`').map((part, index) =>
        index % 2 === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of the parts is all there is
          <code key={index}>
            <Shown text={part} isLine />
          </code>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of the parts is all there is
          <Fragment key={index}>
            <Shown text={part} />
          </Fragment>
        ),
      )}
    </>
  )
}
