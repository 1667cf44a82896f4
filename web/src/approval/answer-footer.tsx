import { ChevronDown, Pencil } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { ListedApproval } from '../../../src/core/approval/listed-approval.ts'
import { Problem } from '../components/problem.tsx'
import type { Answering } from './use-answering.ts'

interface Props {
  readonly approval: ListedApproval
  readonly answering: Answering
}

/** The buttons of a card: Deny left, Approve right, always in the same place. */
export function AnswerFooter({ approval, answering }: Props) {
  const { view, problem, isAnsweredElsewhere } = answering
  return (
    <div className="foot">
      {problem && !isAnsweredElsewhere && (
        <div className="grow" style={{ flexBasis: '100%' }}>
          <Problem text={`The answer was not taken. ${problem.message}`} />
        </div>
      )}
      {isAnsweredElsewhere && (
        <div className="note grow" style={{ flexBasis: '100%' }} role="status">
          <span className="grow">{problem?.message} This card can no longer be answered.</span>
        </div>
      )}
      {view === 'deny' ? (
        <DenyButtons answering={answering} />
      ) : (
        <ApproveButtons approval={approval} answering={answering} />
      )}
    </div>
  )
}

function DenyButtons({ answering }: { readonly answering: Answering }) {
  return (
    <>
      <button type="button" className="btn big" onClick={answering.back}>
        Back <kbd>Esc</kbd>
      </button>
      <span className="grow" />
      <button type="button" className="btn big pri" onClick={answering.deny} disabled={answering.isSending}>
        Deny
      </button>
    </>
  )
}

function ApproveButtons({ approval, answering }: Props) {
  const { view, setView, canApprove, isSending } = answering
  const isAway = view === 'edit' || view === 'grant'
  return (
    <>
      {isAway ? (
        <button type="button" className="btn big" onClick={answering.back}>
          Back <kbd>Esc</kbd>
        </button>
      ) : (
        <>
          <button type="button" className="btn big" onClick={answering.deny} disabled={isSending}>
            {approval.hasRun ? 'Discard' : 'Deny'} <kbd>N</kbd>
          </button>
          <button type="button" className="btn big bare" onClick={() => setView('deny')}>
            {approval.hasRun ? 'Discard' : 'Deny'} with reason…
          </button>
          {!approval.hasRun && (
            <button type="button" className="btn big bare" onClick={() => setView('edit')}>
              <Pencil className="i s" strokeWidth={1.75} aria-hidden="true" />
              Change… <kbd>E</kbd>
            </button>
          )}
        </>
      )}
      <span className="grow" />
      <span className="duo">
        <button
          type="button"
          className={`btn big ${isDangerous(approval) ? 'dan' : 'pri'}`}
          aria-disabled={!canApprove}
          disabled={isSending || (view === 'edit' && !canApprove)}
          onClick={answering.approve}
        >
          {labelOf(approval, answering)} <kbd>Y</kbd>
        </button>
        {approval.grants.length > 0 && !isAway && (
          <DropdownMenu.Root modal={false}>
            <DropdownMenu.Trigger
              className={`btn big ${isDangerous(approval) ? 'dan' : 'pri'}`}
              aria-label="More ways to approve"
            >
              <ChevronDown className="i" strokeWidth={1.75} aria-hidden="true" />
            </DropdownMenu.Trigger>
            <DropdownMenu.Portal>
              <DropdownMenu.Content className="pop" align="end" sideOffset={4}>
                <DropdownMenu.Item className="opt" onSelect={() => setView('grant')}>
                  Approve and remember… <kbd>A</kbd>
                </DropdownMenu.Item>
              </DropdownMenu.Content>
            </DropdownMenu.Portal>
          </DropdownMenu.Root>
        )}
      </span>
    </>
  )
}

function isDangerous({ summary }: ListedApproval): boolean {
  return (
    summary !== undefined &&
    !summary.canUndo &&
    summary.rows.some(({ kind, tone }) => kind !== 'undo' && tone === 'bad')
  )
}

function labelOf(approval: ListedApproval, { view, grant, draft }: Answering): string {
  if (approval.hasRun) return 'Apply'
  if (view === 'edit' && draft !== undefined) return 'Approve changed call'
  if (view === 'grant' && grant !== undefined) return 'Approve and remember'
  if (!isDangerous(approval)) return 'Approve'
  return approval.summary?.rows.some(({ kind }) => kind === 'deletes') ? 'Approve and delete' : 'Approve, no undo'
}
