import {
  Ellipsis,
  Inbox,
  Layers,
  type LucideIcon,
  MessagesSquare,
  Plus,
  Route,
  Scale,
  ScrollText,
  Settings,
  Wrench,
} from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { SESSION_WORDS } from '../../src/core/session/session-record.ts'
import { useApprovals, useInputs, useSessions, useTasks } from './api/queries.ts'
import { Logo } from './components/logo.tsx'
import { SessionIcon } from './components/session-icon.tsx'
import { Shown } from './components/shown.tsx'
import { useKeys } from './keys/use-keys.ts'
import { useNotifications } from './keys/use-notifications.ts'
import { usePlans } from './pages/plans/use-plans.ts'
import { StatusBar } from './status-bar.tsx'

const Palette = lazy(() => import('./keys/palette.tsx'))
const KeyHelp = lazy(() => import('./keys/key-help.tsx'))

/** Where the second key after G leads. */
const PLACES_BY_KEY = { i: '/inbox', k: '/tasks', p: '/plans', t: '/tools', r: '/rules', l: '/log', s: '/' } as const

/** The window around every page: navigation, the page, the status bar; on a phone five tabs. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const [location, go] = useLocation()
  const [isPaletteOpen, setPalette] = useState(false)
  const [isHelpOpen, setHelp] = useState(false)
  const [isGoing, setGoing] = useState(false)
  const waiting = useApprovals().length + useInputs().length
  const leap = (to: string) => {
    setGoing(false)
    go(to)
  }
  useNotifications(go)
  useKeys(true, {
    c: () => go('/new'),
    'mod+k': () => setPalette(true),
    '?': () => setHelp(true),
    g: () => {
      setGoing(true)
      setTimeout(() => setGoing(false), 1_200)
    },
    ...(isGoing && Object.fromEntries(Object.entries(PLACES_BY_KEY).map(([key, to]) => [key, () => leap(to)]))),
  })
  return (
    <div className="app">
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <Side location={location} waiting={waiting} />
      <main className="main" id="main" tabIndex={-1}>
        {children}
        <PhoneTabs location={location} waiting={waiting} />
      </main>
      <StatusBar />
      <Suspense fallback={null}>
        {isPaletteOpen && <Palette onClose={() => setPalette(false)} />}
        {isHelpOpen && <KeyHelp onClose={() => setHelp(false)} />}
      </Suspense>
    </div>
  )
}

const PLACES: readonly (readonly [string, string, LucideIcon])[] = [
  ['/tools', 'Tools', Wrench],
  ['/rules', 'Rules', Scale],
  ['/log', 'Log', ScrollText],
  ['/settings', 'Settings', Settings],
]

function Side({ location, waiting }: { readonly location: string; readonly waiting: number }) {
  const sessions = useSessions()
  const plans = (usePlans().data?.plans ?? []).filter(({ state }) => state === 'running').length
  const tasks = useTasks().filter(({ state }) => state !== 'ended')
  return (
    <nav className="side" aria-label="Main">
      <Link className="brand" href="/" aria-label="Haft, home">
        <Logo />
        <span>Haft</span>
      </Link>
      <Link className="btn" href="/new" title="New session" style={{ margin: '4px 0 8px' }} aria-keyshortcuts="C">
        <Plus className="i" strokeWidth={1.75} aria-hidden="true" />
        <span>New session</span>
        <kbd>C</kbd>
      </Link>
      <NavLink to="/inbox" location={location} name="Inbox" Icon={Inbox} count={waiting} asks />
      <NavLink to="/plans" location={location} name="Plans" Icon={Route} count={plans} />
      <NavLink to="/tasks" location={location} name="Tasks" Icon={Layers} count={tasks.length} />
      <h3>Sessions</h3>
      <div className="sess col" style={{ gap: 1, minHeight: 0, overflow: 'auto' }}>
        {sessions.length === 0 && (
          <p className="qq" style={{ padding: '0 8px' }}>
            None yet.
          </p>
        )}
        {sessions.slice(0, 50).map(({ session, title, state }) => (
          <Link
            key={session}
            className="nav"
            href={`/sessions/${session}`}
            aria-current={location === `/sessions/${session}` ? 'page' : undefined}
            title={`${title ?? 'Untitled'}: ${SESSION_WORDS[state]}`}
          >
            <SessionIcon state={state} />
            <span className="cut">
              <Shown text={title ?? 'Untitled'} isLine />
            </span>
            <span className="sr">, {SESSION_WORDS[state]}</span>
          </Link>
        ))}
      </div>
      <div className="gap" />
      {PLACES.map(([to, name, Icon]) => (
        <NavLink key={to} to={to} location={location} name={name} Icon={Icon} />
      ))}
    </nav>
  )
}

interface NavLinkProps {
  readonly to: string
  readonly location: string
  readonly name: string
  readonly Icon: LucideIcon
  readonly count?: number
  readonly asks?: boolean
}

function NavLink({ to, location, name, Icon, count = 0, asks = false }: NavLinkProps) {
  return (
    <Link
      className={`nav${asks && count > 0 ? ' has' : ''}`}
      href={to}
      title={name}
      aria-current={location.startsWith(to) ? 'page' : undefined}
    >
      <Icon className="i" strokeWidth={1.75} aria-hidden="true" />
      <span className="cut">{name}</span>
      {count > 0 && <span className={`count${asks ? ' ask' : ''}`}>{count}</span>}
      {count > 0 && <span className="sr">{asks ? 'waiting' : 'running'}</span>}
    </Link>
  )
}

function PhoneTabs({ location, waiting }: { readonly location: string; readonly waiting: number }) {
  const tabs: readonly (readonly [string, string, LucideIcon, number])[] = [
    ['/', 'Sessions', MessagesSquare, 0],
    ['/inbox', 'Inbox', Inbox, waiting],
    ['/plans', 'Plans', Route, 0],
    ['/tools', 'Tools', Wrench, 0],
    ['/settings', 'More', Ellipsis, 0],
  ]
  const current = tabOf(location)
  return (
    <nav className="tabs5" aria-label="Pages">
      {tabs.map(([to, name, Icon, count]) => (
        <Link key={to} href={to} aria-current={to === current ? 'page' : undefined}>
          <Icon className="i" strokeWidth={1.75} aria-hidden="true" />
          {name}
          {count > 0 && <span className="count ask">{count}</span>}
        </Link>
      ))}
    </nav>
  )
}

/** The tab that a page belongs to: sessions and what starts them, or the pages listed under More. */
function tabOf(location: string): string {
  if (location === '/' || /^\/(sessions|new)\b/.test(location)) return '/'
  return /^\/(inbox|plans|tools)\b/.exec(location)?.[0] ?? '/settings'
}
