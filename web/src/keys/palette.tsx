import { Command } from 'cmdk'
import {
  Cpu,
  Inbox,
  Layers,
  type LucideIcon,
  MessagesSquare,
  Plus,
  Route,
  Scale,
  ScrollText,
  Search,
  Settings,
  Wrench,
} from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useLocation } from 'wouter'
import { SESSION_WORDS } from '../../../src/core/session/session-record.ts'
import { useSessions } from '../api/queries.ts'
import { SessionIcon } from '../components/session-icon.tsx'
import { Shown } from '../components/shown.tsx'

const PAGES: readonly (readonly [string, string, LucideIcon, string])[] = [
  ['New session', '/new', Plus, 'C'],
  ['Sessions', '/', MessagesSquare, 'G S'],
  ['Inbox', '/inbox', Inbox, 'G I'],
  ['Plans', '/plans', Route, 'G P'],
  ['Tasks', '/tasks', Layers, 'G K'],
  ['Tools', '/tools', Wrench, 'G T'],
  ['Rules', '/rules', Scale, 'G R'],
  ['Log', '/log', ScrollText, 'G L'],
  ['Settings', '/settings', Settings, ''],
  ['Connect a model', '/settings/models/new', Cpu, ''],
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
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="veil" />
        <Dialog.Content className="pop dialog palette" aria-describedby={undefined}>
          <Dialog.Title className="sr">Command palette</Dialog.Title>
          <Command label="Command palette">
            <div className="sb">
              <Search className="i" strokeWidth={1.75} aria-hidden="true" />
              <Command.Input className="in" placeholder="Go to a page or session" />
              <kbd>Esc</kbd>
            </div>
            <Command.List className="scroll">
              <Command.Empty className="opt q">Nothing matches.</Command.Empty>
              <Command.Group heading="Pages">
                {PAGES.map(([name, to, Icon, keys]) => (
                  <Command.Item key={to} className="opt" onSelect={() => open(to)}>
                    <Icon className="i" strokeWidth={1.75} aria-hidden="true" />
                    <span className="grow">{name}</span>
                    {keys !== '' && <kbd>{keys}</kbd>}
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
                    <SessionIcon state={state} />
                    <span className="cut grow">
                      <Shown text={title ?? 'Untitled'} isLine />
                    </span>
                    <span className="qq t1 nw">{SESSION_WORDS[state]}</span>
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
