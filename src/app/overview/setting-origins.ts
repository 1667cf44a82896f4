import type { SettingsFile } from '../../settings/read-settings.ts'
import type { HomeParts } from '../home-parts.ts'

/** One setting that counts, as text, and where it comes from. */
export interface SettingOrigin {
  /** Its key in a settings file: `log.keep_days`. */
  readonly key: string
  /** Without secrets. */
  readonly value: string
  /** The file that sets it, or `default`. */
  readonly from: string
  readonly line?: number
}

type Given = SettingsFile['given']

/** A setting: its key, its value, and what a file must give to be where it comes from. */
type Shown = readonly [key: string, value: string, given: (file: Given) => unknown]

type OriginParts = Pick<HomeParts, 'live' | 'user' | 'models' | 'toolFolders'>

/** Lists each setting that counts and the file and line that it comes from; models, MCP servers and rules are listed on their own. */
export async function listSettingOrigins(parts: OriginParts): Promise<readonly SettingOrigin[]> {
  const { locateKey } = await import('../../settings/locate-key.ts')
  const files = [parts.user, parts.live.added()].filter((file) => file !== undefined)
  return shown(parts).map(([key, value, given]) => {
    const file = files.find((one) => given(one.given) !== undefined)
    if (file === undefined) return { key, value, from: 'default' }
    return { key, value, from: file.path, line: locateKey(file.source ?? '', key.split('.')).line }
  })
}

function shown({ live, user, models, toolFolders }: OriginParts): readonly Shown[] {
  const settings = live.now()
  const added = live.added()?.given
  const { log, approvals, code, commands, run, server, web, network } = settings
  const use = user?.given.sandbox?.use ?? added?.sandbox?.use ?? 'on'
  const python = user?.given.python ?? added?.python
  return [
    ['model', models.selected() ?? 'none chosen: the first one that is found', (file) => file.model],
    ['mode', settings.mode, (file) => file.mode],
    ['tools_dirs', listed(toolFolders.given()), (file) => file.toolsDirs],
    ['python', python ?? 'the one on your PATH', (file) => file.python],
    ['sandbox', use, (file) => file.sandbox?.use],
    ['sandbox.network', listed(network), (file) => file.sandbox?.network],
    ['web.allow', listed(web.allow), (file) => file.web?.allow],
    ['web.search', withoutCredentials(web.search ?? 'none'), (file) => file.web?.search],
    ['approvals.expire_minutes', String(approvals.expireMinutes), (file) => file.approvals?.expireMinutes],
    ['commands.max_written_mb', String(commands.maxWrittenMb), (file) => file.commands?.maxWrittenMb],
    ['commands.max_written_files', String(commands.maxWrittenFiles), (file) => file.commands?.maxWrittenFiles],
    ['run.max_steps', String(run.maxSteps), (file) => file.run?.maxSteps],
    ['code.problems', code.problems, (file) => file.code?.problems],
    ['code.embeddings', code.embeddings ?? 'none', (file) => file.code?.embeddings],
    ['durable', settings.durable, (file) => file.durable],
    ['log.keep_days', String(log.keepDays), (file) => file.log?.keepDays],
    ['log.max_mb', String(log.maxMb), (file) => file.log?.maxMb],
    ['log.max_content_mb', String(log.maxContentMb), (file) => file.log?.maxContentMb],
    ['log.secrets', count(log.secrets.length), (file) => file.log?.secrets],
    ['server.port', String(server.port), (file) => file.server?.port],
    ['server.public_url', server.publicUrl ?? 'none', (file) => file.server?.publicUrl],
  ]
}

function listed(values: readonly string[]): string {
  return values.length === 0 ? 'none' : values.join(', ')
}

/** The patterns themselves may show what is secret. */
function count(patterns: number): string {
  return patterns === 0 ? 'none' : `${patterns} ${patterns === 1 ? 'pattern' : 'patterns'}`
}

/** Hides what may be a key in an address: user and password, and everything after the path. */
export function withoutCredentials(address: string): string {
  return address.replace(/\/\/[^/@]*@/, '//').replace(/[?#].*$/s, '')
}
