import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ListedApproval } from '../../../../src/core/approval/listed-approval.ts'
import type { CheckReport } from '../../../../src/core/call/check-report.ts'
import { api } from '../../api/api.ts'
import { useSettled } from '../../components/use-settled.ts'

/** Changed arguments that the server has checked. */
interface Checked {
  /** The text that was checked, as the editor showed it. */
  readonly text: string
  readonly value: unknown
  readonly report: CheckReport
  /** What is wrong with them; null if they would be accepted. */
  readonly problem: string | null
}

/** The arguments that a person changes before they approve a call. Every change is checked by the server once typing has paused. */
export function useEdited({ id, tool, workspace, session }: ListedApproval) {
  const [draft, setShown] = useState<string>()
  // What the editor shows now; a click can come before the card is drawn again.
  const latest = useRef<string>(undefined)
  const settled = useSettled(draft, 150)
  const read = readJson(settled)
  const query = useQuery({
    queryKey: ['check', id, settled],
    enabled: settled !== undefined && 'value' in read,
    queryFn: async (): Promise<Checked> => {
      const { value } = read
      const [report, { problem }] = await Promise.all([
        api().checkTool({ name: tool, arguments: value, workspace, session }),
        api().checkApproval({ id, modifiedArgs: value }),
      ])
      return { text: settled ?? '', value, report, problem }
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
  })
  const isSettled = settled === draft
  const checked = draft !== undefined && isSettled ? query.data : undefined
  return {
    /** The changed arguments as text; undefined while nothing is changed. */
    draft,
    setDraft(text: string | undefined) {
      latest.current = text
      setShown(text)
    },
    /** The check of exactly this draft, once it is back. */
    checked,
    isChecking: draft !== undefined && (!isSettled || query.isFetching),
    syntaxProblem: draft !== undefined && isSettled ? read.problem : undefined,
    /** Why the draft could not be checked. */
    checkError: isSettled && !query.isFetching ? query.error : null,
    checkAgain: () => query.refetch(),
    /** True if the editor shows other arguments than were asked about at this moment. */
    isChanged: () => latest.current !== undefined,
    /** Returns the arguments that the editor shows at this moment if exactly they were checked and would be accepted, else undefined. */
    takeAccepted(): { readonly modifiedArgs: unknown } | undefined {
      if (checked === undefined || checked.problem !== null || checked.text !== latest.current) return undefined
      return { modifiedArgs: checked.value }
    },
  }
}

interface ReadJson {
  readonly value?: unknown
  readonly problem?: string
}

function readJson(text: string | undefined): ReadJson {
  if (text === undefined) return {}
  try {
    return { value: JSON.parse(text) }
  } catch (thrown) {
    return { problem: thrown instanceof Error ? thrown.message : String(thrown) }
  }
}
