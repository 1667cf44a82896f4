import { SESSION_WORDS } from '../../core/session/session-record.ts'
import { showMoment } from '../../core/terminal/since.ts'
import { isControl, selectable } from '../../core/tool/snapshot.ts'
import type { Controls } from '../controls.ts'

/** Lets the person choose the tools of the session; none can be changed after the first message. */
export function pickTools(tui: Controls): void {
  const { session, tools } = tui.conversation
  const snapshot = tui.host.registry.snapshot()
  const offered = selectable(snapshot.tools)
  const control = (session?.snapshot ?? snapshot).tools.filter(isControl).map(({ tool }) => tool.name)
  const all = offered.map(({ tool }) => tool.name)
  const inSession = session && selectable(session.snapshot.tools).map(({ tool }) => tool.name)
  tui.pick({
    title: 'Tools',
    marked: new Set(inSession ?? tools ?? all),
    locked: session && 'locked with the first message',
    choices: offered.map(({ tool }) => ({
      id: tool.name,
      text: tool.name,
      detail: tool.description.split('\n')[0] ?? '',
    })),
    about: control.length > 0 ? `Always with them: ${control.join(', ')}` : undefined,
    notes: snapshot.skipped.map(
      ({ source, line, reason }) => `${source}${line === undefined ? '' : `:${line}`}  ${reason}`,
    ),
    chosen: (_, marked) => tui.conversation.selectTools(marked.size === all.length ? undefined : [...marked]),
  })
}

/** Lets the person choose a session of this folder. */
export async function pickSession(tui: Controls): Promise<void> {
  const { home } = tui.options
  const sessions = await home.sessions({ workspace: tui.host.workspace, limit: 100 })
  const own = sessions.filter(({ parent }) => parent === null)
  if (own.length === 0) return tui.screen.say('There is no session here yet.')
  const titles = await Promise.all(own.map(({ session, title }) => title ?? firstMessage(tui, session)))
  tui.pick({
    title: 'Sessions',
    at: tui.conversation.session?.id,
    choices: own.map(({ session, state, lastAt }, index) => ({
      id: session,
      text: titles[index] || session,
      detail: `${SESSION_WORDS[state]} · ${showMoment(lastAt, Date.now())}`,
    })),
    chosen: (id) => void tui.showSession(id),
  })
}

async function firstMessage(tui: Controls, session: string): Promise<string> {
  const events = await tui.options.home.log.read({ session, limit: 5 })
  const first = events.find((event) => event.type === 'message' && event.role === 'user')
  return first?.type === 'message' ? (first.content.split('\n')[0] ?? '').slice(0, 60) : ''
}

/** Lists the tasks that run; the chosen one is asked to end. */
export async function pickTask(tui: Controls): Promise<void> {
  const { home } = tui.options
  const tasks = (await home.tasks.list({ limit: 100 })).filter(({ state }) => state !== 'ended')
  if (tasks.length === 0) return tui.screen.say('Nothing runs in the background.')
  tui.pick({
    title: 'Tasks (enter cancels one)',
    choices: tasks.map(({ task, tool, arguments: given, state }) => ({
      id: task,
      text: `${tool} ${given}`,
      detail: state,
    })),
    chosen: (id) =>
      void home.tasks.cancel(id).then((was) => tui.screen.say(was ? `Asked ${id} to end.` : `${id} has ended.`)),
  })
}
