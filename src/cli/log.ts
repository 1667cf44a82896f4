import { type Command, Option } from 'commander'
import type { LogReader } from '../app/home-options.ts'
import type { Host } from '../app/host.ts'
import type { CallRecord } from '../core/call/call-record.ts'
import { ERROR_CODES, type ErrorCode } from '../core/call/codes.ts'
import type { CallFilter } from '../core/ports/log.ts'
import type { KeptReplaced } from '../core/ports/undo-store.ts'
import type { Decision } from '../core/rules/rule.ts'
import { readSince } from '../core/terminal/since.ts'
import { addExamples, type Example } from './help.ts'
import { historyLines } from './log/call-history.ts'
import { followLog } from './log/log-follow.ts'
import { callLines, modelLines, sessionLines } from './log/log-lines.ts'
import { messageLines, messagesOf } from './log/message-lines.ts'
import { readModelRepairs } from './models/model-repairs.ts'
import { findCallOrSession, findSession, type IdProblem } from './output/find-id.ts'
import { reportProblem } from './output/report-problem.ts'
import { type Cli, type CommonOptions, columnsOf, EXIT, paint } from './terminal/front-end.ts'
import { withLog } from './with-log.ts'

interface LogCommandOptions extends CommonOptions {
  tool?: string
  since?: string
  decision?: Decision
  outcome?: 'ok' | ErrorCode
  session?: string
  limit: string
  follow?: boolean
}

/** How many sessions are listed above the calls. */
const SESSIONS = 10

const EXAMPLES: readonly Example[] = [
  ['haft log', 'list sessions and calls'],
  ['haft log c_7f', 'show the history of one call'],
  ['haft log --tool shell --since 2h', 'list shell calls of the last two hours'],
  ['haft log -f', 'watch calls and approval requests'],
]

/** Adds `haft log`: lists sessions and calls, or shows the history of one call. */
export function addLog(program: Command, cli: Cli, exit: (code: number) => void): void {
  const command = program
    .command('log')
    .description('Show past calls: who allowed them and how they ended')
    .argument('[id]', 'id of a session (lists its messages and calls) or of a call (shows its history), or its start')
    .option('--tool <name>', 'only calls of this tool')
    .option('--since <time>', 'only calls since then: 30m, 2h, 7d or a date')
    .addOption(new Option('--decision <decision>', 'only calls with this decision').choices(['allow', 'ask', 'deny']))
    .addOption(new Option('--outcome <outcome>', 'only calls with this outcome').choices(['ok', ...ERROR_CODES]))
    .option('--session <id>', 'only calls of this session')
    .option('--limit <number>', 'show at most this many calls', '30')
    .option('-f, --follow', 'keep printing new calls of every process, until Ctrl-C')
    .option('--json', 'print JSON only')
    .action(async (id: string | undefined, options: LogCommandOptions, command: Command) => {
      const filter = filterOf(options, command)
      exit(await withLog(cli, { ...options, work: (host) => showLog(cli, host, { id, filter, options }) }))
    })
  addExamples(command, EXAMPLES)
}

function filterOf(options: LogCommandOptions, command: Command): CallFilter {
  const { tool, decision, outcome, session } = options
  const since = options.since === undefined ? undefined : readSince(options.since, Date.now())
  if (options.since !== undefined && since === undefined)
    command.error(`error: --since ${options.since}: expected 30m, 2h, 7d or a date such as 2026-01-31`)
  const limit = Number(options.limit)
  if (!Number.isInteger(limit) || limit < 1)
    command.error(`error: --limit ${options.limit}: expected a whole number above 0`)
  return {
    limit,
    ...(tool !== undefined && { tool }),
    ...(decision !== undefined && { decision }),
    ...(outcome !== undefined && { outcome }),
    ...(session !== undefined && { session }),
    ...(since !== undefined && { since }),
  }
}

interface Asked {
  readonly id: string | undefined
  readonly filter: CallFilter
  readonly options: LogCommandOptions
}

async function showLog(cli: Cli, host: Host, { id, filter: asked, options }: Asked): Promise<number> {
  const { log, registry } = host
  const tool = asked.tool === undefined ? undefined : registry.get(asked.tool)?.name
  const chosen = await chooseCalls(log, id, tool === undefined ? asked : { ...asked, tool })
  if ('problem' in chosen) return reportProblem(cli, options, chosen.problem)
  const { record } = chosen
  if (options.follow) return follow(cli, host, { filter: chosen.filter, options })
  if (record === undefined) return list(cli, log, { filter: chosen.filter, options })
  const events = await log.read({ call: record.call })
  const replaced = host.replacedBy(record.call)
  if (options.json) cli.writeJson({ call: record, events, changed: replaced.map(withoutBytes) })
  else for (const line of historyLines(record, events, replaced)) cli.print(line)
  return EXIT.ok
}

interface Chosen {
  readonly filter: CallFilter
  /** The call, if the id names one. */
  readonly record?: CallRecord | undefined
}

/** Turns an id (or its start) and the filters into the filter to use, or a problem if the id fits nothing or several things. */
async function chooseCalls(
  log: LogReader,
  id: string | undefined,
  filter: CallFilter,
): Promise<Chosen | { problem: IdProblem }> {
  const session = filter.session === undefined ? undefined : await findSession(log, filter.session)
  if (session && 'problem' in session) return session
  const within = session ? { ...filter, session: session.id } : filter
  if (id === undefined) return { filter: within }
  const found = await findCallOrSession(log, id)
  if ('problem' in found) return found
  const named = found.record ? { call: found.id } : { session: found.id }
  return { filter: { ...within, ...named }, record: found.record }
}

function withoutBytes({ before, ...record }: KeptReplaced): object {
  if (before?.type !== 'file') return { ...record, before }
  const { bytes, ...kept } = before
  return { ...record, before: { ...kept, size: bytes?.length ?? null } }
}

async function list(cli: Cli, log: LogReader, { filter, options }: Omit<Asked, 'id'>): Promise<number> {
  const { limit: _, ...asked } = filter
  const plain = Object.keys(asked).length === 0
  const sessions = plain ? await log.sessions({ limit: SESSIONS }) : []
  const isSession = Object.keys(asked).join() === 'session'
  const models = await readModelRepairs(log, isSession ? await log.sessions({ ...asked, limit: 1 }) : sessions)
  const calls = await log.calls(filter)
  const messages = filter.session === undefined ? [] : await messagesOf(log, filter.session)
  const shown = {
    ...(plain && { sessions }),
    ...(models.length > 0 && { models }),
    calls,
    ...(messages.length > 0 && { messages }),
  }
  if (options.json) cli.writeJson(shown)
  else {
    const now = Date.now()
    for (const line of messageLines(messages, columnsOf(process.stdout))) cli.print(line)
    if (messages.length > 0) cli.print('')
    for (const line of sessionLines(sessions, now)) cli.print(line)
    for (const line of modelLines(models)) cli.print(line)
    if (sessions.length + models.length > 0) cli.print('')
    for (const line of callLines([...calls].reverse(), now)) cli.print(line)
    if (calls.length === 0) cli.print(paint('dim', plain ? 'No calls yet.' : 'No call matches.'))
  }
  return EXIT.ok
}

async function follow(cli: Cli, host: Host, { filter, options }: Omit<Asked, 'id'>): Promise<number> {
  const stop = new AbortController()
  const end = () => stop.abort()
  process.once('SIGINT', end)
  process.stdout.once('error', end)
  await followLog(cli, host, { filter, json: options.json ?? false, signal: stop.signal })
  process.off('SIGINT', end)
  return EXIT.ok
}
