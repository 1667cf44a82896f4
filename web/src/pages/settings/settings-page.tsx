import {
  Cpu,
  FolderCog,
  HeartPulse,
  Layers,
  type LucideIcon,
  Plug,
  Scale,
  ScrollText,
  SlidersHorizontal,
} from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { BackButton } from '../../components/back-button.tsx'
import { Page } from '../../components/page.tsx'
import { MachineSection } from './machine-section.tsx'
import { McpSection } from './mcp-section.tsx'
import { ModelsSection } from './models-section.tsx'
import { ToolFoldersSection } from './tool-folders-section.tsx'
import { ValuesSection } from './values-section.tsx'

const SECTIONS: readonly (readonly [id: string, name: string, about: string, LucideIcon])[] = [
  ['models', 'Models', 'Which are there; add, test and remove them', Cpu],
  ['mcp', 'MCP servers', 'Servers whose tools Haft uses', Plug],
  ['tools', 'Tool folders', 'Folders with Python and TypeScript tools', FolderCog],
  ['machine', 'This machine', 'What works here, and what to do about the rest', HeartPulse],
  ['values', 'Settings in force', 'Each value, and the file that sets it', SlidersHorizontal],
]

/** Settings by section; each has an address of its own. */
export function SettingsPage({ section }: { readonly section?: string | undefined }) {
  const [, go] = useLocation()
  const current = SECTIONS.find(([id]) => id === section)?.[0] ?? (section === undefined ? undefined : 'unknown')
  const shown = current ?? 'models'
  return (
    <Page
      title="Settings"
      className="p-settings"
      view={current === undefined ? undefined : 'detail'}
      heading={
        <>
          <BackButton onClick={() => go('/settings')} />
          <h1>Settings</h1>
        </>
      }
    >
      <div className="two">
        <nav className="pane" aria-label="Sections">
          {SECTIONS.map(([id, name, about, Icon]) => (
            <Link key={id} className="li" href={`/settings/${id}`} aria-current={id === shown ? 'page' : undefined}>
              <Icon className="i" strokeWidth={1.75} aria-hidden="true" />
              <span className="grow">
                <span className="t">{name}</span>
                <span className="meta" style={{ display: 'block' }}>
                  {about}
                </span>
              </span>
            </Link>
          ))}
          <Link className="li only-s" href="/tasks">
            <Layers className="i" strokeWidth={1.75} aria-hidden="true" />
            <span className="t">Tasks</span>
          </Link>
          <Link className="li only-s" href="/rules">
            <Scale className="i" strokeWidth={1.75} aria-hidden="true" />
            <span className="t">Rules</span>
          </Link>
          <Link className="li only-s" href="/log">
            <ScrollText className="i" strokeWidth={1.75} aria-hidden="true" />
            <span className="t">Log</span>
          </Link>
        </nav>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <div className="pane" tabIndex={0}>
          <div className="det">
            {shown === 'models' && <ModelsSection />}
            {shown === 'mcp' && <McpSection />}
            {shown === 'tools' && <ToolFoldersSection />}
            {shown === 'machine' && <MachineSection />}
            {shown === 'values' && <ValuesSection />}
            {shown === 'unknown' && <p className="q">There is no such section. Choose one from the list.</p>}
          </div>
        </div>
      </div>
    </Page>
  )
}
