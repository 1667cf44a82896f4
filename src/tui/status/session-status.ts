import type { Host } from '../../app/host.ts'
import { selectable } from '../../core/tool/snapshot.ts'
import type { Conversation } from '../conversation.ts'
import type { SessionFeed } from '../session/session-feed.ts'
import type { MachineFacts } from './machine-facts.ts'
import type { Status } from './status-bar.ts'

interface StatusParts {
  readonly host: Host
  readonly conversation: Conversation
  readonly feed: SessionFeed
  readonly facts: MachineFacts
}

/** Returns what the status bar tells of the session at this terminal. */
export function sessionStatus({
  host,
  conversation,
  feed,
  facts,
}: StatusParts): Omit<Status, 'isRunning' | 'waiting' | 'isAsking'> {
  const { model, mode, session, tools } = conversation
  const offered = selectable(host.registry.snapshot().tools).length
  const selected = session ? selectable(session.snapshot.tools).length : (tools?.length ?? offered)
  const { usage } = feed.view
  const limit = facts.contextOf(model)
  return {
    ...{ model, mode, tasks: feed.tasks.length, hasSandbox: facts.hasSandbox },
    tools: { selected, all: Math.max(offered, selected), isLocked: session !== undefined },
    tokens: usage.input + usage.output,
    context: limit === undefined || usage.context === undefined ? undefined : { used: usage.context, limit },
  }
}
