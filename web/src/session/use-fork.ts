import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import type { MessageItem, SessionItem } from '../../../src/core/session/session-view.ts'
import { api } from '../api/api.ts'

interface Fork {
  readonly item: MessageItem
  /** Sent in place of the message; the message is kept when left out. */
  readonly text?: string
}

/** Copies a session up to a message and opens the copy; with a text, sends that in place of the message, with its attachments. */
export function useFork(id: string) {
  const [, go] = useLocation()
  const { mutate, error, isPending } = useMutation({
    mutationFn: async ({ item, text }: Fork) => {
      const isChanged = text !== undefined
      const { session } = await api().forkSession({ id, event: item.id, ...(isChanged && { before: true }) })
      const { attachments } = item
      if (isChanged)
        await api().sendMessage({
          id: session.session,
          message: text,
          ...(attachments.length > 0 && { attachments: [...attachments] }),
        })
      return session.session
    },
    onSuccess: (session) => go(`/sessions/${session}`),
  })
  return {
    error,
    isPending,
    forkFrom: (item: MessageItem) => mutate({ item }),
    resend: (item: MessageItem, text: string) => mutate({ item, text }),
    /** From the last message. */
    fork(items: readonly SessionItem[] | undefined) {
      const item = items?.findLast((one): one is MessageItem => one.kind === 'message')
      if (item) mutate({ item })
    },
    /** Asks the model again for its answer to the person's last message before an item. */
    regenerate(items: readonly SessionItem[], before: SessionItem) {
      const item = items
        .slice(0, items.indexOf(before))
        .findLast((one): one is MessageItem => one.kind === 'message' && one.role === 'user' && !one.isNotice)
      if (item) mutate({ item, text: item.content })
    },
  }
}

export type Forking = ReturnType<typeof useFork>
