import { Dialog } from 'radix-ui'

const KEYS: readonly (readonly [string, string])[] = [
  ['C', 'New session'],
  ['Ctrl K', 'Command palette'],
  ['G then S I P K T R L', 'Sessions, inbox, plans, tasks, tools, rules, log'],
  ['@', 'In a message: name a file'],
  ['↵', 'Send; ⇧ ↵ begins a new line'],
  ['J K', 'Next, previous'],
  ['Y', 'Approve this call once'],
  ['N', 'Deny; the run goes on'],
  ['⇧ N', 'Deny with a reason'],
  ['E', 'Change the arguments; Ctrl ↵ then approves them'],
  ['A', 'Approve and remember'],
  ['D', 'Dry run'],
  ['T', 'Show the trace of the rules'],
  ['R', 'Review what waits'],
  ['.', 'Jump to the end'],
  ['Esc', 'From the message box to the card; close, go back, then Stop; never an answer'],
]

/** The keys of the app. */
export default function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="veil" />
        <Dialog.Content className="pop dialog" aria-describedby={undefined}>
          <Dialog.Title asChild>
            <h2>Keys</h2>
          </Dialog.Title>
          <dl className="keys">
            {KEYS.map(([key, does]) => (
              <div key={key} style={{ display: 'contents' }}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
          <p className="help">Keys do nothing while a text field has the focus, nor in the first 0.4 s of a card.</p>
          <Dialog.Close className="btn">Close</Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
