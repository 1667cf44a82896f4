import { Command } from 'cmdk'
import { Dialog } from 'radix-ui'
import { useLocation } from 'wouter'
import { useSessions } from '../api/queries.ts'
import { SessionIcon } from '../components/session-icon.tsx'

const PAGES: readonly (readonly [string, string])[] = [
  ['New session', '/new'],
  ['Inbox', '/inbox'],
  ['Tasks', '/tasks'],
  ['Tools', '/tools'],
  ['Rules', '/rules'],
  ['Log', '/log'],
  ['Settings', '/settings'],
]

/** Finds pages and sessions by name. */
export default function Palette({ onClose }: { readonly onClose: () => void }) {
  const [, go] = useLocation()
  const sessions = useSessions()
  const open = (to: string) => {
    onClose()
    go(to)
  }
  return (
    <Dialog.Root open onOpenChange={onClose} modal={false}>
      <Dialog.Portal>
        <Dialog.Content className="pop dialog palette" aria-describedby={undefined}>
          <Dialog.Title className="sr">Command palette</Dialog.Title>
          <Command label="Command palette">
            <Command.Input className="in" placeholder="Go to a page or session" />
            <Command.List className="scroll">
              <Command.Empty className="opt q">Nothing matches.</Command.Empty>
              <Command.Group heading="Pages">
                {PAGES.map(([name, to]) => (
                  <Command.Item key={to} className="opt" onSelect={() => open(to)}>
                    {name}
                  </Command.Item>
                ))}
              </Command.Group>
              <Command.Group heading="Sessions">
                {sessions.map(({ session, title, state }) => (
                  <Command.Item
                    key={session}
                    className="opt"
                    value={`${title} ${session}`}
                    onSelect={() => open(`/sessions/${session}`)}
                  >
                    <SessionIcon state={state} /> {title ?? 'Untitled'}
                  </Command.Item>
                ))}
              </Command.Group>
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
