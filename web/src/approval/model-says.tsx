import { useQuery } from '@tanstack/react-query'
import type { ListedApproval } from '../../../src/core/approval/listed-approval.ts'
import { api } from '../api/api.ts'
import { Shown } from '../components/shown.tsx'

/** What the model wrote when it made the call: quoted as plain text, since it may say anything. */
export function ModelSays({ approval: { session, call } }: { readonly approval: ListedApproval }) {
  const { data: text } = useQuery({
    queryKey: ['model-says', call],
    queryFn: () => findWords(session, call),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!text) return null
  return (
    <div className="sec">
      <p className="quote t1">
        <span className="b">The model says:</span> “<Shown text={text} />”{' '}
        <span className="qq">Its words, not checked.</span>
      </p>
    </div>
  )
}

/** How many places before the start of a call its message is looked for first; it is mostly the event before it. */
const NEAR = 500

/** Returns the text of the message that made a call; empty where it has none or no model made the call. */
async function findWords(session: string, call: string): Promise<string> {
  const [start] = (await api().listEvents({ call, limit: 1 })).events
  const near = Math.max(0, (start?.cursor ?? 0) - NEAR)
  return (await wordsAfter(near, session, call)) ?? (near > 0 ? await wordsAfter(0, session, call) : undefined) ?? ''
}

async function wordsAfter(after: number, session: string, call: string): Promise<string | undefined> {
  const { events } = await api().listEvents({ session, after, limit: 10_000 })
  for (const event of events)
    if (event.type === 'message' && event.calls?.some((made) => made.call === call)) return event.content.trim()
  return undefined
}
