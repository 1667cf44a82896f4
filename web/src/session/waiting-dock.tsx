import { Hand } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ListedApproval } from '../../../src/core/approval/listed-approval.ts'
import { Sentence } from '../components/shown.tsx'
import { useKeys } from '../keys/use-keys.ts'

/** Says what waits while the buttons of its card are out of sight. It can show the card, never answer it. */
export function WaitingDock({ approvals }: { readonly approvals: readonly ListedApproval[] }) {
  const [first] = approvals
  const isSeen = useIsSeen(first?.id)
  const review = () => {
    const heading = document.querySelector<HTMLElement>('[data-approval] h2')
    heading?.scrollIntoView({ block: 'center' })
    heading?.focus({ preventScroll: true })
  }
  useKeys(first !== undefined, { r: review })
  if (first === undefined) return null
  const sentence = first.summary?.sentence ?? `Call \`${first.tool}\``
  return (
    <>
      <p className="sr" role="status">
        Waiting for you: {sentence.replaceAll('`', '')}
      </p>
      {!isSeen && (
        <div className="dock">
          <Hand className="i ask" strokeWidth={1.75} aria-hidden="true" />
          <span className="cut grow dk">
            <span className="b">Waiting for you:</span> <Sentence text={sentence} />
          </span>
          <button type="button" className="btn" onClick={review}>
            Review <kbd>R</kbd>
          </button>
        </div>
      )}
    </>
  )
}

/** True while the buttons of a card are in sight. */
function useIsSeen(id: string | undefined): boolean {
  const [isSeen, setSeen] = useState(true)
  useEffect(() => {
    setSeen(true)
    if (id === undefined) return
    const sight = new IntersectionObserver(([entry]) => setSeen(entry?.isIntersecting ?? true))
    const find = () => {
      const foot = document.querySelector(`[data-approval="${CSS.escape(id)}"] .foot`)
      if (foot === null) return
      sight.observe(foot)
      appears.disconnect()
    }
    // The code of a card may still be on its way when the call begins to wait.
    const appears = new MutationObserver(find)
    appears.observe(document.body, { childList: true, subtree: true })
    find()
    return () => {
      appears.disconnect()
      sight.disconnect()
    }
  }, [id])
  return isSeen
}
