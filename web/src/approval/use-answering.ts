import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useRef, useState } from 'react'
import type { GrantChoice } from '../../../src/core/approval/grant.ts'
import type { ListedApproval } from '../../../src/core/approval/listed-approval.ts'
import { ApiError, api } from '../api/api.ts'
import { useKeys } from '../keys/use-keys.ts'
import { useEdited } from './editing/use-edited.ts'
import { readOn, useInert, useInSight, useSeen } from './use-readiness.ts'

/** What the card shows: the request, a reason for a no, a grant, changed arguments, or a dry run. */
export type CardView = 'show' | 'deny' | 'grant' | 'edit' | 'dry run'

type Reply = Parameters<ReturnType<typeof api>['answerApproval']>[0]

interface Options {
  readonly hasKeys: boolean
  /** The card: keys act only while it is in sight. */
  readonly card: RefObject<HTMLElement | null>
  readonly onAnswered?: (() => void) | undefined
}

/** The state of an approval card: what is edited, whether it would be accepted, and the answer. */
export function useAnswering(approval: ListedApproval, { hasKeys, card, onAnswered }: Options) {
  const queries = useQueryClient()
  const [view, setView] = useState<CardView>('show')
  const [reason, setReason] = useState('')
  const [grant, setGrant] = useState<GrantChoice | undefined>()
  const edited = useEdited(approval)
  const { draft, checked } = edited
  const [showsTrace, setShowsTrace] = useState(false)
  const isInSight = useInSight(card)
  const seen = useSeen(card, view === 'show' || view === 'edit' ? `${approval.digest} ${view}` : undefined)
  const isSeen = [view, 'show'].some((one) => seen.has(`${approval.digest} ${one}`))
  const isInert = useInert(`${approval.digest} ${draft} ${checked === undefined} ${isInSight} ${isSeen}`)
  const showRest = () => {
    if (view !== 'edit') setView('show')
    if (card.current) readOn(card.current)
  }
  // What is not in sight is shown first, and answered by a second key.
  const reveal = () => card.current?.scrollIntoView({ block: 'nearest' })
  // A click and a key in one moment, before the card is drawn again, are one answer.
  const isSent = useRef(false)
  const answer = useMutation({
    mutationFn: (reply: Reply) => api().answerApproval(reply),
    onError: () => {
      isSent.current = false
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['approvals'] }),
    onSuccess: () => onAnswered?.(),
  })
  const send = (reply: Reply) => {
    if (isSent.current) return
    isSent.current = true
    answer.mutate(reply)
  }
  const { id, digest } = approval
  const canApprove = !isInert && !answer.isPending && (draft === undefined || checked?.problem === null)
  const approve = () => {
    if (!isSeen) return showRest()
    const asAsked = { digest, ...(view === 'grant' && grant && { grant }) }
    const approved = edited.isChanged() ? edited.takeAccepted() : asAsked
    if (canApprove && approved) send({ id, approved: true, ...approved })
  }
  const remember = () => (isSeen ? setView('grant') : showRest())
  const deny = () => send({ id, approved: false, digest, ...(reason.trim() !== '' && { reason: reason.trim() }) })
  const back = () => {
    setView('show')
    edited.setDraft(undefined)
    setGrant(undefined)
  }
  useKeys(hasKeys && !answer.isPending, {
    y: () => (!isSeen ? showRest() : isInSight ? !isInert && approve() : reveal()),
    // In a field of the card; elsewhere it belongs to the message box.
    'mod+enter': () => view === 'edit' && card.current?.contains(document.activeElement) === true && approve(),
    n: () => (isInSight ? !isInert && deny() : reveal()),
    'shift+n': () => setView('deny'),
    e: () => !approval.hasRun && setView('edit'),
    a: () => approval.grants.length > 0 && draft === undefined && remember(),
    d: () => approval.canDryRun && draft === undefined && setView('dry run'),
    t: () => setShowsTrace(!showsTrace),
    escape: view === 'show' ? undefined : back,
  })
  return {
    view,
    setView,
    reason,
    setReason,
    grant,
    setGrant,
    edited,
    showsTrace,
    setShowsTrace,
    /** What the call would do as it stands: the changed call once it is checked. */
    summary: checked?.report.summary ?? approval.summary,
    isSeen,
    canApprove,
    approve,
    remember,
    deny,
    back,
    isSending: answer.isPending,
    problem: answer.error,
    isAnsweredElsewhere: answer.error instanceof ApiError && answer.error.status === 409,
  }
}

export type Answering = ReturnType<typeof useAnswering>
