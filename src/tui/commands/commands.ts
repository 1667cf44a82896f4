import { MODES, type Mode } from '../../core/session/mode.ts'
import { hangText } from '../../core/terminal/text-width.ts'
import { selectable } from '../../core/tool/snapshot.ts'
import type { Controls } from '../controls.ts'
import { pickSession, pickTask, pickTools } from './pick.ts'

/** A slash command. */
export interface SlashCommand {
  readonly name: string
  readonly help: string
  /** Does it, with what was typed behind the name. */
  run(tui: Controls, rest: string): void | Promise<void>
}

const MODE_HELP: Readonly<Record<Mode, string>> = {
  plan: 'reads and plans; changes nothing',
  ask: 'changing or deleting existing files asks first',
  review: 'commands run aside; you apply or discard what they changed',
  edit: 'file edits run without asking',
  auto: 'asks for nothing; blocked calls stay blocked',
}

/** The slash commands, in the order of the help. */
export const COMMANDS: readonly SlashCommand[] = [
  { name: 'help', help: 'list commands and keys', run: (tui) => tui.showHelp() },
  { name: 'model', help: 'choose the model', run: pickModel },
  { name: 'mode', help: 'choose what runs without asking', run: pickMode },
  { name: 'tools', help: 'choose the tools, before the first message', run: pickTools },
  { name: 'sessions', help: 'go on with another session', run: pickSession },
  { name: 'approvals', help: 'answer what waits, of any session', run: pickApproval },
  { name: 'undo', help: 'undo the last change in this folder', run: undo },
  { name: 'tasks', help: 'list background tasks; choose one to cancel it', run: pickTask },
  { name: 'rules', help: 'list the rules in force', run: showRules },
  { name: 'why', help: 'TOOL: why it was not offered, not called or blocked', run: explain },
  { name: 'clear', help: 'start a new session', run: (tui) => tui.startOver() },
  { name: 'export', help: 'write the session to a Markdown file', run: exportSession },
  { name: 'quit', help: 'leave', run: (tui) => tui.quit() },
]

/** The model that is there on every machine. */
const DEMO = { id: 'demo', text: 'demo', detail: 'no language model: follows simple commands, "help" lists them' }

async function pickModel(tui: Controls, rest: string): Promise<void> {
  const { home } = tui.options
  if (rest !== '') return choose(rest)
  tui.screen.say('Looking for models…')
  const models = await home.models.list()
  tui.screen.say('')
  tui.pick({
    title: 'Model',
    at: tui.conversation.model,
    choices: [...models.map(({ name, from, problem }) => ({ id: name, text: name, detail: problem ?? from })), DEMO],
    chosen: (id) => void choose(id),
  })
  async function choose(name: string): Promise<void> {
    await tui.conversation.changeModel(name)
    tui.screen.say(`Model: ${name}`)
  }
}

async function pickMode(tui: Controls, rest: string): Promise<void> {
  const choose = async (id: string) => {
    const mode = MODES.find((one) => one === id)
    if (mode === undefined) return tui.screen.say(`${id} is not a mode. Modes: ${MODES.join(', ')}`)
    await tui.conversation.changeMode(mode)
    tui.screen.say(`Mode ${mode}: ${MODE_HELP[mode]}.`)
  }
  if (rest !== '') return choose(rest)
  tui.pick({
    title: 'Mode',
    at: tui.conversation.mode,
    choices: MODES.map((mode) => ({ id: mode, text: mode, detail: MODE_HELP[mode] })),
    chosen: (id) => void choose(id),
  })
}

async function pickApproval(tui: Controls): Promise<void> {
  await tui.requests.refresh()
  if (tui.screen.hasLayers) return
  const open = tui.requests.list()
  if (open.length === 0) return tui.screen.say('Nothing waits for you.')
  tui.pick({
    title: 'Waiting for you',
    choices: open.map(({ id, text, session }) => ({ id, text, detail: session })),
    chosen: (id) => open.find((one) => one.id === id)?.show(),
  })
}

async function undo(tui: Controls): Promise<void> {
  const calls = await tui.host.undoable()
  if (calls.length === 0) return tui.screen.say('There is no change here that can be undone.')
  const session = await tui.conversation.begin()
  const result = await tui.host.undo(calls, { wait: true, session: session.id, mode: tui.conversation.mode })
  if (!result.ok) tui.screen.say(result.text)
}

async function showRules(tui: Controls): Promise<void> {
  const { paint, columns } = tui.screen.look()
  const rules = await tui.host.rules(tui.conversation.mode)
  tui.screen.print([
    '',
    ...rules.flatMap(({ rule, layer }) => {
      const style = rule.decision === 'allow' ? 'green' : rule.decision === 'deny' ? 'red' : 'yellow'
      const text = `${rule.name} (${layer})${rule.reason === undefined ? '' : `: ${rule.reason}`}`
      return hangText(`  ${paint(style, rule.decision.padEnd(5))} `, paint('reset', text), columns - 1)
    }),
  ])
}

async function explain(tui: Controls, rest: string): Promise<void> {
  if (rest === '') {
    const names = selectable(tui.host.registry.snapshot().tools).map(({ tool }) => tool.name)
    tui.pick({ title: 'Why', choices: names.map((id) => ({ id, text: id })), chosen: (id) => void explain(tui, id) })
    return
  }
  const { paint, columns } = tui.screen.look()
  const lines = await tui.options.explain(rest, tui.conversation.session?.id)
  tui.screen.print(['', ...lines.flatMap((line) => hangText('  ', paint('reset', line), columns - 1))])
}

async function exportSession(tui: Controls): Promise<void> {
  const events = await tui.conversation.session?.events()
  if (!events) return tui.screen.say('There is no session yet.')
  tui.screen.say(`Written to ${tui.exportEvents(events)}`)
}
