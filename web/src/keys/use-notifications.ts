import { useEffect, useRef } from 'react'
import { useApprovals, useInputs } from '../api/queries.ts'

/** Held by every page of Haft that a person can see now. */
const SEEN = 'haft-page-in-sight'

/** Shows how many calls wait in the title, and a notification for a new one while no page of Haft is in sight. It cannot approve. */
export function useNotifications(open: (path: string) => void): void {
  const approvals = useApprovals()
  const inputs = useInputs()
  const known = useRef(new Set<string>())
  const count = approvals.length + inputs.length
  useEffect(() => {
    const plain = document.title.replace(/^\(\d+\) /, '')
    document.title = count > 0 ? `(${count}) ${plain}` : plain
  }, [count])
  useEffect(holdWhileVisible, [])
  useEffect(() => {
    const waiting = [
      ...approvals.map(({ id, tool, summary }) => ({
        ...{ id, text: (summary?.sentence ?? `Call ${tool}`).replaceAll('`', ''), path: `/inbox?approval=${id}` },
      })),
      ...inputs.map(({ input: id, question, session }) => ({ id, text: question, path: `/sessions/${session}` })),
    ]
    for (const one of waiting) {
      if (known.current.has(one.id)) continue
      known.current.add(one.id)
      notify(one, () => open(one.path)).catch(() => undefined)
    }
  }, [approvals, inputs, open])
}

async function notify({ id, text }: { readonly id: string; readonly text: string }, onOpen: () => void): Promise<void> {
  if (!document.hidden || typeof Notification === 'undefined' || Notification.permission !== 'granted') return
  const { held } = await navigator.locks.query()
  if (held?.some(({ name }) => name === SEEN)) return
  // Pages of one browser show the same request once: a notification replaces one with its tag.
  const shown = new Notification('Haft waits for you', { body: text, tag: id, icon: '/icon.svg' })
  shown.onclick = () => {
    window.focus()
    shown.close()
    onOpen()
  }
}

/** Lets other pages of this browser know that a person can see this one. */
function holdWhileVisible(): () => void {
  let release: (() => void) | undefined
  const look = () => {
    release?.()
    release = undefined
    if (document.hidden) return
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    navigator.locks.request(SEEN, { mode: 'shared' }, () => held).catch(() => undefined)
  }
  look()
  document.addEventListener('visibilitychange', look)
  return () => {
    document.removeEventListener('visibilitychange', look)
    release?.()
  }
}
