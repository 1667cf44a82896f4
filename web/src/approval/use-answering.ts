import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'
import type { GrantChoice } from '../../../src/core/approval/grant.ts'
import type { ListedApproval } from '../../../src/core/approval/listed-approval.ts'
import type { CheckReport } from '../../../src/core/call/check-report.ts'
import { ApiError, api } from '../api/api.ts'
import { useSettled } from '../components/use-settled.ts'
import { useKeys } from '../keys/use-keys.ts'

/** What the card shows: the request, a reason for a no, a grant, changed arguments, or a dry run. */
export type CardView = 'show' | 'deny' | 'grant' | 'edit' | 'dry run'

/** How long Approve does nothing after the card appears or its content changes, in milliseconds. */
export const INERT = 400

/** Changed arguments that were checked. */
export interface Checked {
  readonly value: unknown
  readonly report: CheckReport
  /** What is wrong with them; null if they would be accepted. */
  readonly problem: string | null
}

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
  const [draft, setDraft] = useState<string | undefined>()
  const edited = useChecked(approval, draft)
  const [showsTrace, setShowsTrace] = useState(false)
  const isInSight = useInSight(card)
  const isInert = useInert(`${approval.digest} ${edited.checked === undefined} ${isInSight}`)
  const isKeyInert = isInert || !isInSight
  const answer = useMutation({
    mutationFn: (reply: Parameters<ReturnType<typeof api>['answerApproval']>[0]) => api().answerApproval(reply),
    onSettled: () => queries.invalidateQueries({ queryKey: ['approvals'] }),
    onSuccess: () => onAnswered?.(),
  })
  const { id, digest } = approval
  const isChanged = draft !== undefined && edited.value !== undefined
  const canApprove = !isInert && !answer.isPending && (draft === undefined || edited.checked?.problem === null)
  const approve = () => {
    if (!canApprove) return
    const changed = isChanged ? { modifiedArgs: edited.value } : { digest }
    answer.mutate({ id, approved: true, ...changed, ...(view === 'grant' && grant && !isChanged && { grant }) })
  }
  const deny = () => {
    if (answer.isPending) return
    answer.mutate({ id, approved: false, digest, ...(reason.trim() !== '' && { reason: reason.trim() }) })
  }
  const back = () => {
    setView('show')
    setDraft(undefined)
    setGrant(undefined)
  }
  useKeys(hasKeys && !answer.isPending, {
    y: () => !isKeyInert && approve(),
    n: () => !isKeyInert && deny(),
    'shift+n': () => setView('deny'),
    e: () => !approval.hasRun && setView('edit'),
    a: () => approval.grants.length > 0 && setView('grant'),
    d: () => approval.canDryRun && setView('dry run'),
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
    draft,
    setDraft,
    showsTrace,
    setShowsTrace,
    checked: edited.checked,
    isChecking: edited.isChecking,
    syntaxProblem: edited.syntaxProblem,
    isInert,
    canApprove,
    approve,
    deny,
    back,
    isSending: answer.isPending,
    problem: answer.error,
    isAnsweredElsewhere: answer.error instanceof ApiError && answer.error.status === 409,
  }
}

export type Answering = ReturnType<typeof useAnswering>

/** Checks changed arguments on the server once typing has paused. */
function useChecked(approval: ListedApproval, draft: string | undefined) {
  const settled = useSettled(draft, 150)
  const parsed = readJson(settled)
  const { tool, workspace, session } = approval
  const query = useQuery({
    queryKey: ['check', approval.id, settled],
    enabled: parsed !== undefined && 'value' in parsed,
    queryFn: async (): Promise<Checked> => {
      const value = parsed !== undefined && 'value' in parsed ? parsed.value : undefined
      const [report, { problem }] = await Promise.all([
        api().checkTool({ name: tool, arguments: value, workspace, session }),
        api().checkApproval({ id: approval.id, modifiedArgs: value }),
      ])
      return { value, report, problem }
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const isCurrent = settled === draft
  return {
    value: parsed !== undefined && 'value' in parsed ? parsed.value : undefined,
    checked: draft === undefined || !isCurrent ? undefined : query.data,
    isChecking: draft !== undefined && (!isCurrent || query.isFetching),
    syntaxProblem: parsed !== undefined && 'problem' in parsed ? parsed.problem : undefined,
  }
}

function readJson(text: string | undefined): { readonly value: unknown } | { readonly problem: string } | undefined {
  if (text === undefined) return undefined
  try {
    return { value: JSON.parse(text) }
  } catch (thrown) {
    return { problem: thrown instanceof Error ? thrown.message : String(thrown) }
  }
}

/** True for a moment after what is shown has changed, so that a key or click meant for something else approves nothing. */
function useInert(shown: string): boolean {
  const [active, setActive] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setActive(shown), INERT)
    return () => clearTimeout(timer)
  }, [shown])
  return active !== shown
}

/** True while an element is wholly in sight, or fills what its scroller shows where it is taller than that. */
function useInSight(element: RefObject<HTMLElement | null>): boolean {
  const [isInSight, setInSight] = useState(false)
  useEffect(() => {
    const { current } = element
    if (current === null) return
    const look: IntersectionObserverCallback = ([entry]) => {
      const { height } = current.closest('.body, .pane')?.getBoundingClientRect() ?? { height: innerHeight }
      const most = Math.min(current.offsetHeight, height)
      setInSight(entry !== undefined && entry.intersectionRect.height >= most * 0.9)
    }
    const steps = Array.from({ length: 21 }, (_, index) => index / 20)
    const observer = new IntersectionObserver(look, { threshold: steps })
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return isInSight
}
