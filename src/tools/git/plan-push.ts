import { ToolError } from '../../core/call/result.ts'
import { type GitAddress, readGitAddress } from '../../core/network/git-address.ts'
import type { PushOrder } from '../../core/ports/developer/machine.ts'
import { COMMIT_FORMAT, type Commit, readCommits } from './read-output.ts'
import { type Run, runGit } from './run-git.ts'

/** What a call of git_push asks for. */
export interface PushInput {
  readonly remote?: string
  readonly branch?: string
  readonly to?: string
  readonly force?: boolean
  readonly repo?: string
}

/** What would be pushed, and where. */
export interface PushPlan extends PushOrder {
  readonly remote: string
  readonly local: string
  readonly address: GitAddress
  readonly commits: readonly Commit[]
  /** How many commits in all. */
  readonly total: number
  /** Commits of the remote branch, as last seen, that a forced push would remove. */
  readonly lost: number
  /** True if the remote branch was not seen before. */
  readonly isNew: boolean
}

const SHOWN = 20

/** Reads what would be pushed. Throws ToolError if there is no such branch or remote, or the address is not one that is used. */
export async function planPush(run: Run, input: PushInput): Promise<PushPlan> {
  const { repo } = input
  const [data, current, list, refs] = await runGit(run, {
    repo,
    commands: [
      ['rev-parse', '--path-format=absolute', '--git-common-dir'],
      ['branch', '--show-current'],
      ['config', '-z', '--list'],
      ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/remotes'],
    ],
  })
  const settings = readSettings(list?.text ?? '')
  const local = input.branch ?? current?.text.trim() ?? ''
  if (local === '') throw new ToolError('INVALID_ARGUMENTS', 'branch: HEAD is detached; name the branch to push.')
  const names = readRefs(refs?.text ?? '')
  const commit = names.get(`refs/heads/${local}`)
  if (commit === undefined)
    throw new ToolError('INVALID_ARGUMENTS', `branch: there is no branch ${local}. ${listBranches(names)}`)
  const remote = input.remote ?? remoteOf(local, settings)
  const url = addressOf(remote, settings)
  const branch = input.to ?? local
  const seen = names.get(`refs/remotes/${remote}/${branch}`)
  const { commits, total, lost } = await compare(run, { repo, commit, remote, seen })
  return {
    ...{ repository: data?.text.trim() ?? '', commit, branch, local, remote, url, commits, total, lost },
    address: checkAddress(url, remote),
    isNew: seen === undefined,
    ...(input.force && { force: { expected: seen ?? null } }),
  }
}

interface Compared {
  readonly repo: string | undefined
  readonly commit: string
  readonly remote: string
  readonly seen: string | undefined
}

async function compare(
  run: Run,
  { repo, commit, remote, seen }: Compared,
): Promise<Pick<PushPlan, 'commits' | 'total' | 'lost'>> {
  const range = seen === undefined ? [commit, '--not', `--remotes=${remote}`] : [commit, `^${seen}`]
  const [log, count, behind] = await runGit(run, {
    repo,
    commands: [
      ['log', '--no-color', '--no-show-signature', `--format=${COMMIT_FORMAT}`, `-n${SHOWN}`, ...range, '--'],
      ['rev-list', '--count', ...range, '--'],
      ['rev-list', '--count', ...(seen === undefined ? ['-n0', commit] : [seen, `^${commit}`]), '--'],
    ],
  })
  return {
    commits: readCommits(log?.text ?? ''),
    total: Number(count?.text.trim()) || 0,
    lost: Number(behind?.text.trim()) || 0,
  }
}

type Settings = ReadonlyMap<string, readonly string[]>

function readSettings(text: string): Settings {
  const settings = new Map<string, string[]>()
  for (const entry of text.split('\0')) {
    const end = entry.indexOf('\n')
    if (end < 0) continue
    const key = entry.slice(0, end)
    settings.set(key, [...(settings.get(key) ?? []), entry.slice(end + 1)])
  }
  return settings
}

function readRefs(text: string): ReadonlyMap<string, string> {
  return new Map(
    text
      .split('\n')
      .flatMap((line) =>
        line.includes(' ') ? [[line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))] as const] : [],
      ),
  )
}

function remoteOf(branch: string, settings: Settings): string {
  const keys = [`branch.${branch}.pushremote`, 'remote.pushdefault', `branch.${branch}.remote`]
  return keys.flatMap((key) => settings.get(key)?.at(-1) ?? []).find((name) => name !== '') ?? 'origin'
}

/** The one address of a remote, as the repository has it. */
function addressOf(remote: string, settings: Settings): string {
  const own = (settings.get(`remote.${remote}.pushurl`) ?? []).filter((url) => url !== '')
  const urls = own.length > 0 ? own : (settings.get(`remote.${remote}.url`) ?? [])
  const [url] = urls
  if (urls.length > 1)
    throw new ToolError('INVALID_ARGUMENTS', `remote: ${remote} has ${urls.length} addresses; git_push pushes to one.`)
  if (url !== undefined) return url
  const known = [...settings.keys()].flatMap((key) => /^remote\.(.*)\.url$/s.exec(key)?.[1] ?? [])
  const list = known.length > 0 ? `There is ${known.join(', ')}.` : 'There is none; add one with git remote add.'
  throw new ToolError('INVALID_ARGUMENTS', `remote: there is no remote ${remote}. ${list}`)
}

function checkAddress(url: string, remote: string): GitAddress {
  const address = readGitAddress(url)
  if (address) return address
  throw new ToolError(
    'BLOCKED',
    `The address of ${remote} is not one that git_push uses: https, http, ssh or a folder. Others can run commands (refused by git_push).`,
  )
}

function listBranches(names: ReadonlyMap<string, string>): string {
  const local = [...names.keys()].filter((name) => name.startsWith('refs/heads/')).map((name) => name.slice(11))
  return local.length === 0 ? 'There are no commits yet.' : `There is ${local.slice(0, 20).join(', ')}.`
}

/** The plan as text for a person. */
export function describePlan(plan: PushPlan): string {
  const { local, branch, remote, address, commits, total, lost, force, isNew, commit } = plan
  const same = local === branch ? local : `${local} to ${branch}`
  const lines = [
    `${force ? 'Force-push' : 'Push'} ${same} (${commit.slice(0, 10)})${isNew ? ', not seen on the remote before' : ''}`,
    `to ${remote}: ${address.shown}`,
    ...(force && lost > 0
      ? [`This removes ${lost === 1 ? '1 commit' : `${lost} commits`} from ${branch} on ${remote}.`]
      : []),
    ...(force && force.expected === null ? ['It replaces the branch whatever it holds there now.'] : []),
    '',
    total === 0 ? 'No new commits, as far as is known here.' : `${total === 1 ? '1 commit' : `${total} commits`}:`,
    ...commits.map(({ commit: name, subject }) => `  ${name.slice(0, 10)} ${subject}`),
    ...(total > commits.length ? [`  and ${total - commits.length} more`] : []),
  ]
  return lines.join('\n')
}
