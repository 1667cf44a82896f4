import { type Command, Option } from 'commander'
import type { LogReader } from '../app/home-options.ts'
import type { Host } from '../app/host.ts'
import type { CallRecord } from '../core/call/call-record.ts'
import { ERROR_CODES, type ErrorCode } from '../core/call/codes.ts'
import type { CallFilter } from '../core/ports/log.ts'
import type { KeptReplaced } from '../core/ports/undo-store.ts'
import type { Decision } from '../core/rules/rule.ts'
import { followLog } from './log/log-follow.ts'
import { callLines, sessionLines } from './log/log-lines.ts'
import { storyLines } from './log/log-story.ts'
import { findCallOrSession, findSession, type IdProblem } from './output/find-id.ts'
import { refuse } from './output/report-problem.ts'
import { type Cli, type CommonOptions, EXIT, paint } from './terminal/front-end.ts'
import { readSince } from './terminal/since.ts'
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

/** How many sessions stand above the calls. */
const SESSIONS = 10

/** `haft log`: sessions and calls, or the whole story of one. */
export function addLog(program: Command, cli: Cli, exit: (code: number) => void): void {
  program
    .command('log')
    .description('what was called, who allowed it and how it ended')
    .argument('[id]', 'a session, to list its calls, or a call, to tell its story; the start of the id will do')
    .option('--tool <name>', 'only calls of this tool')
    .option('--since <time>', 'only calls since then: 30m, 2h, 7d ago, or a date')
    .addOption(new Option('--decision <decision>', 'only calls that were decided so').choices(['allow', 'ask', 'deny']))
    .addOption(new Option('--outcome <outcome>', 'only calls that ended so').choices(['ok', ...ERROR_CODES]))
    .option('--session <id>', 'only calls of this session')
    .option('--limit <number>', 'at most so many calls', '30')
    .option('-f, --follow', 'go on and print what happens, in any process, until Ctrl-C')
    .option('--json', 'print JSON and nothing else')
    .action(async (id: string | undefined, options: LogCommandOptions, command: Command) => {
      const filter = filterOf(options, command)
      exit(await withLog(cli, { ...options, work: (host) => showLog(cli, host, { id, filter, options }) }))
    })
}

function filterOf(options: LogCommandOptions, command: Command): CallFilter {
  const { tool, decision, outcome, session } = options
  const since = options.since === undefined ? undefined : readSince(options.since, Date.now())
  if (options.since !== undefined && since === undefined)
    command.error(`error: --since ${options.since} is no time; expected 30m, 2h, 7d or a date such as 2026-01-31`)
  const limit = Number(options.limit)
  if (!Number.isInteger(limit) || limit < 1) command.error(`error: --limit ${options.limit} is no number above 0`)
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
  if ('problem' in chosen) return refuse(cli, options, chosen.problem)
  const { record } = chosen
  if (options.follow) return follow(cli, host, { filter: chosen.filter, options })
  if (record === undefined) return list(cli, log, { filter: chosen.filter, options })
  const events = await log.read({ call: record.call })
  const replaced = host.replacedBy(record.call)
  if (options.json) cli.write(`${JSON.stringify({ call: record, events, changed: replaced.map(withoutBytes) })}\n`)
  else for (const line of storyLines(record, events, replaced)) cli.say(line)
  return EXIT.ok
}

interface Chosen {
  readonly filter: CallFilter
  /** The one call that was named. */
  readonly record?: CallRecord | undefined
}

/** What a person wants to see of the log: the call or session they name, whose ids they may give the start of. */
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
  const calls = await log.calls(filter)
  if (options.json) cli.write(`${JSON.stringify(plain ? { sessions, calls } : { calls })}\n`)
  else {
    const now = Date.now()
    for (const line of sessionLines(sessions, now)) cli.say(line)
    if (sessions.length > 0) cli.say('')
    for (const line of callLines([...calls].reverse(), now)) cli.say(line)
    if (calls.length === 0) cli.say(paint('dim', plain ? 'nothing was called yet' : 'no call matches'))
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
