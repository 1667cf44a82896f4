import type { ModelSettings } from '../../core/model-settings.ts'
import type { Mode } from '../../core/session/mode.ts'
import type { HomeParts } from '../home-parts.ts'
import { withoutCredentials } from './setting-origins.ts'

/** A model of the settings; of its headers only the names, since a value may be a key. */
export type ShownModel = Omit<ModelSettings, 'headers'> & { readonly headers?: readonly string[] }

/** The settings that count, without secrets. */
export interface ShownSettings {
  readonly mode: Mode
  readonly model: string | null
  readonly durable: string
  readonly approvals: { readonly expireMinutes: number }
  readonly log: { readonly keepDays: number; readonly maxMb: number; readonly maxContentMb: number }
  readonly server: { readonly port: number }
  readonly models: Readonly<Record<string, ShownModel>>
  readonly toolsDirs: readonly string[]
  /** The names of the person's rules. */
  readonly rules: readonly string[]
  /** The settings files that exist. */
  readonly files: readonly string[]
}

/** Returns the settings of a home for people to see. */
export function showSettings({ live, user, managed, models, toolFolders }: HomeParts): ShownSettings {
  const settings = live.now()
  const { keepDays, maxMb, maxContentMb } = settings.log
  const file = live.added()
  return {
    mode: settings.mode,
    model: models.selected() ?? null,
    durable: settings.durable,
    approvals: settings.approvals,
    log: { keepDays, maxMb, maxContentMb },
    server: settings.server,
    models: Object.fromEntries(Object.entries(models.settled()).map(([name, model]) => [name, showModel(model)])),
    toolsDirs: toolFolders.given(),
    rules: [...managed.list(), ...(user?.given.rules ?? [])].map(({ name }) => name),
    files: [file, user].flatMap((one) => (one?.source === undefined ? [] : [one.path])),
  }
}

/** Hides what may be a key: values of headers, and user and password in the address. */
function showModel({ headers, baseUrl, ...rest }: ModelSettings): ShownModel {
  return {
    ...rest,
    ...(baseUrl !== undefined && { baseUrl: withoutCredentials(baseUrl) }),
    ...(headers && { headers: Object.keys(headers) }),
  }
}
