import { ChevronDown, Pencil } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { ListedApproval } from '../../../src/core/approval/listed-approval.ts'
import { useConnection } from '../api/hub.tsx'
import { Problem } from '../components/problem.tsx'
import type { Answering } from './use-answering.ts'

interface Props {
  readonly approval: ListedApproval
  readonly answering: Answering
}

/** The buttons of a card: Deny left, Approve right, always in the same place. */
export function AnswerFooter({ approval, answering }: Props) {
  return (
    <div className="foot">
      <Refusal approval={approval} answering={answering} />
      {answering.view === 'deny' ? (
        <DenyButtons answering={answering} />
      ) : (
        <ApproveButtons approval={approval} answering={answering} />
      )}
    </div>
  )
}

/** Why an answer was not taken. */
function Refusal({ approval, answering: { problem, isAnsweredElsewhere } }: Props) {
  const connection = useConnection()
  if (problem === null) return null
  if (isAnsweredElsewhere)
    return (
      <div className="note told" role="status">
        <span className="grow">
          {problem.message.replace(approval.id, 'This call')} This card can no longer be answered.
        </span>
      </div>
    )
  return (
    <div className="told">
      <Problem
        text={
          connection === 'lost'
            ? 'No connection to Haft. Your answer is not sent yet. Answer again when the connection is back.'
            : `The answer was not taken. ${problem.message}`
        }
      />
    </div>
  )
}

function DenyButtons({ answering }: { readonly answering: Answering }) {
  return (
    <>
      <button type="button" className="btn big f-deny" onClick={answering.back}>
        Back <kbd>Esc</kbd>
      </button>
      <span className="grow f-gap" />
      <button type="button" className="btn big pri f-approve" onClick={answering.deny} disabled={answering.isSending}>
        Deny <kbd>Ctrl ↵</kbd>
      </button>
    </>
  )
}

function ApproveButtons({ approval, answering }: Props) {
  const { view, setView, isSeen, canApprove, isSending } = answering
  const isAway = view === 'edit' || view === 'grant'
  const no = approval.hasRun ? 'Discard' : 'Deny'
  const look = !isSeen ? '' : isDangerous(answering) ? 'dan' : 'pri'
  return (
    <>
      {isAway ? (
        <button type="button" className="btn big f-deny" onClick={answering.back}>
          Back <kbd>Esc</kbd>
        </button>
      ) : (
        <>
          <button type="button" className="btn big f-deny" onClick={answering.deny} disabled={isSending}>
            {no} <kbd>N</kbd>
          </button>
          <button type="button" className="btn big bare f-reason" onClick={() => setView('deny')}>
            {no} with reason…
          </button>
          {!approval.hasRun && (
            <button type="button" className="btn big bare f-change" onClick={() => setView('edit')}>
              <Pencil className="i s" strokeWidth={1.75} aria-hidden="true" />
              Change… <kbd>E</kbd>
            </button>
          )}
        </>
      )}
      <span className="grow f-gap" />
      <span className="duo f-approve">
        <button
          type="button"
          className={`btn big ${look}`}
          aria-disabled={!canApprove}
          title={isSeen ? undefined : 'Approve becomes active once all of the request has been in sight'}
          disabled={isSending || (view === 'edit' && !canApprove)}
          onClick={answering.approve}
        >
          {labelOf(approval, answering)} <kbd>{view === 'edit' ? 'Ctrl ↵' : 'Y'}</kbd>
        </button>
        {approval.grants.length > 0 && !isAway && (
          <DropdownMenu.Root modal={false}>
            <DropdownMenu.Trigger className={`btn big ${look}`} aria-label="More ways to approve">
              <ChevronDown className="i" strokeWidth={1.75} aria-hidden="true" />
            </DropdownMenu.Trigger>
            <DropdownMenu.Portal>
              <DropdownMenu.Content className="pop menu" align="end" sideOffset={4} collisionPadding={8}>
                <DropdownMenu.Item className="opt" onSelect={answering.remember}>
                  <span className="grow">Approve and remember…</span> <kbd>A</kbd>
                </DropdownMenu.Item>
              </DropdownMenu.Content>
            </DropdownMenu.Portal>
          </DropdownMenu.Root>
        )}
      </span>
    </>
  )
}

function isDangerous({ summary }: Answering): boolean {
  return (
    summary !== undefined &&
    !summary.canUndo &&
    summary.rows.some(({ kind, tone }) => kind !== 'undo' && tone === 'bad')
  )
}

function labelOf(approval: ListedApproval, answering: Answering): string {
  const { view, grant, edited, summary, isSeen } = answering
  if (!isSeen) return 'Read on to approve'
  if (approval.hasRun) return 'Apply'
  if (edited.isChecking) return 'Checking…'
  if (edited.draft !== undefined) return 'Approve changed call'
  if (view === 'grant' && grant !== undefined) return 'Approve and remember'
  if (!isDangerous(answering)) return 'Approve'
  return summary?.rows.some(({ kind }) => kind === 'deletes') ? 'Approve and delete' : 'Approve, no undo'
}
