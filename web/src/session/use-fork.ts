import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import type { MessageItem, SessionItem } from '../../../src/core/session/session-view.ts'
import { api } from '../api/api.ts'

/** Copies a session up to a message and opens the copy; with a text, sends that in place of the message. */
export function useFork(id: string) {
  const [, go] = useLocation()
  const { mutate, error } = useMutation({
    mutationFn: async ({ item, text }: { readonly item: MessageItem; readonly text?: string }) => {
      const isChanged = text !== undefined
      const { session } = await api().forkSession({ id, event: item.id, ...(isChanged && { before: true }) })
      if (isChanged) await api().sendMessage({ id: session.session, message: text })
      return session.session
    },
    onSuccess: (session) => go(`/sessions/${session}`),
  })
  return {
    error,
    forkFrom: (item: MessageItem) => mutate({ item }),
    resend: (item: MessageItem, text: string) => mutate({ item, text }),
    /** From the last message. */
    fork(items: readonly SessionItem[] | undefined) {
      const item = items?.findLast((one): one is MessageItem => one.kind === 'message')
      if (item) mutate({ item })
    },
  }
}

export type Forking = ReturnType<typeof useFork>
