import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ToolError } from '../core/call/result.ts'
import { maskCredentials, readGitAddress } from '../core/network/git-address.ts'
import type { PushOrder, PushReport } from '../core/ports/developer/machine.ts'
import type { Programs } from '../core/ports/developer/programs.ts'
import { checkObjects } from './check-objects.ts'
import { type Finished, runProgram } from './run-program.ts'

/** Where pushes start, and what finds git and the environment of the person. */
export interface PushOptions {
  readonly workspace: string
  readonly programs: Programs
}

/** Settings that hold for every push, whatever the person's own say: nothing prompts, no hook runs, only known protocols are used. */
const FIXED = [
  ...['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'core.askPass=', 'credential.interactive=false'],
  ...['protocol.allow=never', 'protocol.https.allow=always', 'protocol.http.allow=always', 'protocol.ssh.allow=always'],
  ...['protocol.file.allow=always', 'push.followTags=false', 'push.gpgSign=false', 'push.recurseSubmodules=no'],
  ...['push.pushOption=', 'gc.auto=0', 'maintenance.auto=false', 'safe.directory=*'],
].flatMap((setting) => ['-c', setting])

/** Pushes a commit from an empty repository of our own that borrows the objects of the real one, so that no setting, hook or helper of the real one is read. */
export async function push(order: PushOrder, signal: AbortSignal, options: PushOptions): Promise<PushReport> {
  const target = targetOf(order.url, options.workspace)
  const data = locate(order.repository, options.workspace)
  checkObjects(join(data, 'objects'))
  const own = mkdtempSync(join(tmpdir(), 'haft-push-'))
  try {
    const { programs } = options
    const env = environmentOf(programs, await sshCommand(programs, signal))
    const git = (...args: string[]): Promise<Finished> =>
      runProgram(programs.system('git'), [...FIXED, ...args], { cwd: own, env, signal })
    const made = await git('init', '-q', '--bare', '--template=', own)
    if (made.exitCode !== 0) throw new ToolError('EXECUTION_ERROR', `git: ${made.stderr.trim()}`)
    writeFileSync(join(own, 'objects/info/alternates'), `${join(data, 'objects')}\n`)
    const shallow = readShallow(data)
    if (shallow !== '') writeFileSync(join(own, 'shallow'), shallow)
    return reportOf(await git('--git-dir', own, ...wordsOf(order, target)))
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

function wordsOf({ commit, branch, force }: PushOrder, target: string): string[] {
  const name = `refs/heads/${branch}`
  const isWide = force?.expected === null
  return [
    ...['push', '--porcelain', '--no-verify', '--no-follow-tags', '--no-signed', '--no-progress'],
    ...(force && force.expected !== null ? [`--force-with-lease=${name}:${force.expected}`] : []),
    ...['--', target, `${isWide ? '+' : ''}${commit}:${name}`],
  ]
}

/** The address to push to. A folder inside the workspace is refused: its hooks would run outside the sandbox. */
function targetOf(url: string, workspace: string): string {
  const address = readGitAddress(url)
  if (address === undefined)
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `${maskCredentials(url)} is not an address that git_push uses: https, http, ssh or a folder.`,
    )
  if (address.kind !== 'folder') return url
  const path = url.startsWith('file:') ? fileURLToPath(url) : url
  const folder = realpathOf(isAbsolute(path) ? path : join(workspace, path))
  if (isInside(folder, realpathSync(workspace)))
    throw new ToolError(
      'BLOCKED',
      `${url} is a folder of the workspace, and its hooks would run outside the sandbox (refused by git_push). Use shell with git push.`,
    )
  return folder
}

/** The real folder of the repository's data, which must be in the workspace. */
function locate(repository: string, workspace: string): string {
  const folder = realpathOf(repository)
  if (!isInside(folder, realpathSync(workspace)) || folder.includes('\n'))
    throw new ToolError('INVALID_PATH', 'The data of the repository is outside the workspace (refused by git_push).')
  return folder
}

function realpathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    throw new ToolError('FILE_NOT_FOUND', `${path} does not exist or cannot be reached.`)
  }
}

function isInside(path: string, folder: string): boolean {
  const below = relative(folder, path)
  return below === '' || (!below.startsWith('..') && !isAbsolute(below))
}

/** The commits where a shallow clone ends. */
function readShallow(data: string): string {
  try {
    const lines = readFileSync(join(data, 'shallow'), 'utf8').split('\n')
    return lines.filter((line) => /^[0-9a-f]{40,64}$/.test(line)).join('\n')
  } catch {
    // A full clone has no such file.
    return ''
  }
}

/** Variables of git that choose certificates, proxies and the person's own settings. Others could name a repository or a program. */
const KEPT = /^GIT_(SSL_|HTTP_|PROXY_SSL|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)$)/

function environmentOf(programs: Programs, ssh: string): Record<string, string> {
  const kept = Object.entries(programs.env()).filter(([name]) => !/^(GIT_|SSH_ASKPASS)/.test(name) || KEPT.test(name))
  return {
    ...Object.fromEntries(kept),
    ...{ GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: '', SSH_ASKPASS_REQUIRE: 'never', GCM_INTERACTIVE: 'never' },
    ...{ GIT_SSH_COMMAND: `${ssh} -o BatchMode=yes`, GIT_NO_LAZY_FETCH: '1', LC_ALL: 'C' },
  }
}

/** The person's own ssh command: from the environment, or their settings of git. */
async function sshCommand(programs: Programs, signal: AbortSignal): Promise<string> {
  const { GIT_SSH_COMMAND } = programs.env()
  if (GIT_SSH_COMMAND) return GIT_SSH_COMMAND
  const plain = environmentOf(programs, 'ssh')
  const { stdout } = await runProgram(programs.system('git'), ['config', '--global', '--includes', 'core.sshCommand'], {
    cwd: '/',
    env: plain,
    signal,
  })
  return stdout.trim() || 'ssh'
}

const OUTCOMES: Readonly<Record<string, PushReport['outcome']>> = {
  ' ': 'updated',
  '+': 'forced',
  '*': 'created',
  '=': 'unchanged',
}

function reportOf({ exitCode, stdout, stderr }: Finished): PushReport {
  const [, flag = '', summary = ''] = /^(.)\t[^\t\n]*\t(.*)$/m.exec(stdout) ?? []
  const remote = maskCredentials(stderr).trim().slice(0, 4_000)
  const outcome = OUTCOMES[flag]
  if (exitCode === 0 && outcome !== undefined) return { outcome, text: remote }
  if (flag === '!')
    throw new ToolError('CONFLICT', `The remote refused the push: ${summary}. ${remote}`.trim(), {
      details: { reason: summary },
    })
  throw new ToolError('EXECUTION_ERROR', `git push failed: ${remote || `exit code ${exitCode}`}`, { retryable: true })
}
