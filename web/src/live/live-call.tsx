import { useApprovals } from '../api/queries.ts'
import { ApprovalCard } from '../approval/lazy-card.tsx'
import { Problem } from '../components/problem.tsx'
import { CallBlock } from '../session/call/call-block.tsx'
import { useLiveCall } from './use-live-call.ts'

/** One call while it waits, runs and ends: its approval, its output as it comes, its result. */
export function LiveCall({ call, session }: { readonly call: string; readonly session: string | undefined }) {
  const { item, error } = useLiveCall(call, session)
  const approval = useApprovals().find((one) => one.call === call)
  if (error) return <Problem text={error.message} />
  if (!item)
    return (
      <p className="q" role="status">
        Starting…
      </p>
    )
  return (
    <div className="col" style={{ gap: 8 }}>
      <CallBlock item={item} />
      {approval && <ApprovalCard key={approval.id} approval={approval} hasKeys scrollsIntoView />}
    </div>
  )
}
