import { useEffect, useRef } from 'react'
import { useApprovals, useInputs } from '../api/queries.ts'

/** Shows how many calls wait in the title, and a notification for a new one while the page is hidden. It cannot approve. */
export function useNotifications(): void {
  const approvals = useApprovals()
  const inputs = useInputs()
  const known = useRef(new Set<string>())
  const count = approvals.length + inputs.length
  useEffect(() => {
    const plain = document.title.replace(/^\(\d+\) /, '')
    document.title = count > 0 ? `(${count}) ${plain}` : plain
  }, [count])
  useEffect(() => {
    for (const { id, tool, summary } of approvals) {
      if (known.current.has(id)) continue
      known.current.add(id)
      if (!document.hidden || typeof Notification === 'undefined' || Notification.permission !== 'granted') continue
      const sentence = (summary?.sentence ?? `Call ${tool}`).replaceAll('`', '')
      const shown = new Notification('Haft waits for you', { body: sentence, tag: id })
      shown.onclick = () => window.focus()
    }
  }, [approvals])
}
