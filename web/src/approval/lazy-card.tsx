import { type ComponentProps, lazy, Suspense } from 'react'

const Card = lazy(() => import('./approval-card.tsx').then(({ ApprovalCard: card }) => ({ default: card })))

/** An approval card, loaded with the first one: most visits to a page show none. */
export function ApprovalCard(props: ComponentProps<typeof Card>) {
  return (
    <Suspense>
      <Card {...props} />
    </Suspense>
  )
}
