import { Tabs } from 'radix-ui'
import { useEffect, useState } from 'react'
import type { ListedApproval } from '../../../src/core/approval/listed-approval.ts'
import { DiffView } from '../components/diff-view.tsx'
import { CommandList } from './command-list.tsx'
import { DryRun } from './dry-run.tsx'
import { ArgumentsEditor } from './editing/arguments-editor.tsx'
import type { Answering } from './use-answering.ts'

interface Props {
  readonly approval: ListedApproval
  readonly answering: Answering
}

/** The tabs of a card: the diff or the commands that Haft read, a dry run, and the arguments as a form or JSON. */
export function CardDetails({ approval, answering }: Props) {
  const { hasRun, canDryRun } = approval
  const { view, setView, summary, edited } = answering
  const preview = edited.checked?.report.preview ?? approval.preview
  const isChanged = edited.draft !== undefined
  const isDiff = preview?.kind === 'diff'
  const tabs = [
    ...(isDiff ? [hasRun ? 'What it changed' : 'Diff'] : []),
    ...(!isDiff && summary && summary.commands.length > 0 ? ['What Haft read'] : []),
    // A dry run is one of the call as it was asked about.
    ...(canDryRun && !isChanged ? ['What it would change'] : []),
    ...(hasRun ? [] : ['Form', 'JSON']),
  ]
  // A form that nobody asked for would only push the buttons away.
  const first = tabs.find((name) => name !== 'Form' && name !== 'JSON' && name !== 'What it would change')
  const [tab, setTab] = useState(first)
  useEffect(() => {
    if (view === 'edit') setTab((now) => (now === 'JSON' ? now : 'Form'))
    else if (view === 'dry run') setTab('What it would change')
    else setTab(first)
  }, [view, first])
  if (tabs.length === 0) return null
  return (
    <Tabs.Root
      className="sec"
      value={tab ?? ''}
      onValueChange={(next) => {
        setTab(next)
        if (next === 'Form' || next === 'JSON') setView('edit')
      }}
    >
      <Tabs.List className="seg" aria-label="Details of the call">
        {tabs.map((name) => (
          <Tabs.Trigger key={name} value={name}>
            {name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <Tabs.Content value={hasRun ? 'What it changed' : 'Diff'}>
        {isDiff && <DiffView diff={preview.text} />}
      </Tabs.Content>
      <Tabs.Content value="What Haft read">
        {summary && (
          <CommandList commands={summary.commands} trace={(edited.checked?.report ?? approval).trace ?? []} />
        )}
      </Tabs.Content>
      <Tabs.Content value="What it would change">
        <DryRun approval={approval} isAsked={view === 'dry run'} />
      </Tabs.Content>
      <Tabs.Content value="Form">
        <ArgumentsEditor approval={approval} answering={answering} form="form" />
      </Tabs.Content>
      <Tabs.Content value="JSON">
        <ArgumentsEditor approval={approval} answering={answering} form="json" />
      </Tabs.Content>
    </Tabs.Root>
  )
}
