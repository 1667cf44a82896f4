import { resolve } from 'node:path'
import { MODEL_PROVIDERS, type ModelProvider, type ModelSettings } from '../core/model-settings.ts'
import { type Model, ModelError } from '../core/ports/model.ts'
import type { TargetName } from '../core/schema-targets/target.ts'
import { nearest } from '../core/text/nearest.ts'
import { openAbilityCache } from './abilities/ability-cache.ts'
import type { WireOptions } from './create-wire.ts'
import {
  checkBaseUrl,
  checkOllamaUrl,
  checkOpenAiUrl,
  type Environment,
  LM_STUDIO_URL,
  ollamaUrl,
  openAiUrl,
} from './open/addresses.ts'
import { findKey } from './open/find-key.ts'

/** What models are opened with. */
export interface OpenModelOptions {
  /** The `[models.NAME]` tables of the settings. */
  readonly models: Readonly<Record<string, ModelSettings>>
  readonly env: Environment
  /** Where the paths of recordings start. */
  readonly folder: string
  /** The key that was stored for a table. */
  keyOf?(table: string): string | undefined
  /** The file that remembers what models can do; without it that is learned anew in each process. */
  readonly abilitiesFile?: string
  readonly limits?: WireOptions['limits']
  readonly retries?: WireOptions['retries']
}

/** Opens a model by the name that settings give it: a `[models.NAME]` table, or `PROVIDER:NAME`. Opening sends nothing. Rejects with ModelError where there is no such model or a key is missing. */
export async function openModel(name: string, options: OpenModelOptions): Promise<Model> {
  if (name === 'demo') {
    const { createDemoModel } = await import('./demo/demo-model.ts')
    return createDemoModel()
  }
  const found = findModel(name, options)
  if ('recording' in found) {
    const { replayModel } = await import('./replay.ts')
    return replayModel(resolve(options.folder, found.recording), name)
  }
  const model = await openWire(found.settings, wireOptionsOf(name, found, options))
  const { readsTextCalls } = await import('./reads-text-calls.ts')
  return readsTextCalls(model)
}

/** Returns the form in which a model is sent tools; undefined for one that takes them as they are. Throws ModelError where there is no such model. */
export function findToolTarget(name: string, options: Pick<OpenModelOptions, 'models'>): TargetName | undefined {
  if (name === 'demo') return undefined
  const found = findModel(name, options)
  if ('recording' in found) return undefined
  const { provider, strict } = found.settings
  if (provider === 'openai') return strict ? 'openai-strict' : 'openai'
  return provider === 'google' ? 'gemini-json-schema' : provider
}

/** A model of a server, and the table it is settled in; `PROVIDER:NAME` needs none. */
interface ServerModel {
  readonly settings: ModelSettings
  readonly table?: string
}

const PREFIXES = ['ollama', 'openai', 'lmstudio', 'anthropic', 'google', 'replay']

function findModel(
  name: string,
  { models }: Pick<OpenModelOptions, 'models'>,
): ServerModel | { readonly recording: string } {
  const settings = Object.hasOwn(models, name) ? models[name] : undefined
  if (settings) return { settings, table: name }
  const [, prefix = '', rest = ''] = /^([^:]+):(.+)$/s.exec(name) ?? []
  if (prefix === 'replay') return { recording: rest }
  if (prefix === 'lmstudio') return { settings: { provider: 'openai', model: rest, baseUrl: LM_STUDIO_URL } }
  const provider = MODEL_PROVIDERS.find((one) => one === prefix)
  if (provider) return { settings: { provider, model: rest } }
  throw new ModelError(explainUnknown(name, Object.keys(models)))
}

function explainUnknown(name: string, tables: readonly string[]): string {
  const prefix = name.includes(':') ? (name.split(':')[0] ?? '') : name
  const near = [...nearest(name, tables), ...nearest(prefix, PREFIXES).map((one) => `${one}:NAME`)]
  const known = tables.length > 0 ? `, or a table of the settings: ${tables.join(', ')}` : ''
  const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''
  return `There is no model ${JSON.stringify(name)}.${hint} Write it as ${PREFIXES.map((one) => `${one}:NAME`).join(', ')}${known}.`
}

type ProviderWire = Omit<WireOptions, 'baseUrl'> & { readonly baseUrl: string | undefined }

function wireOptionsOf(name: string, { settings, table }: ServerModel, options: OpenModelOptions): ProviderWire {
  const { env, abilitiesFile, limits, retries } = options
  const { provider, model, context, maxOutput, headers, temperature, price, strict } = settings
  const baseUrl = baseUrlOf(settings, env, table)
  const stored = table === undefined ? undefined : options.keyOf?.(table)
  const apiKey = findKey(settings, { env, stored, ...(table !== undefined && { table }) })
  const learned = openAbilityCache(abilitiesFile).of([provider, baseUrl ?? '', model].join(' '))
  return {
    ...{ name, model, baseUrl, apiKey, headers, context, maxOutput, temperature, price, strict },
    ...{ learned, limits, retries },
  }
}

function baseUrlOf({ provider, baseUrl }: ModelSettings, env: Environment, table?: string): string | undefined {
  const key = `models.${table}.base_url`
  if (provider === 'ollama') return baseUrl === undefined ? ollamaUrl(env) : checkOllamaUrl(baseUrl, key)
  if (provider === 'openai') return baseUrl === undefined ? openAiUrl(env) : checkOpenAiUrl(baseUrl, key)
  return baseUrl === undefined ? undefined : checkBaseUrl(baseUrl, key)
}

/** Loads only the protocol that is spoken. */
async function openWire({ provider }: { readonly provider: ModelProvider }, options: ProviderWire): Promise<Model> {
  const { baseUrl = '', ...rest } = options
  if (provider === 'ollama') return (await import('./ollama/open-ollama.ts')).openOllama({ ...rest, baseUrl })
  if (provider === 'openai') return (await import('./openai/open-openai.ts')).openOpenAi({ ...rest, baseUrl })
  const { openProvider } = await import('./ai-sdk/open-provider.ts')
  return openProvider(provider, { ...rest, ...(options.baseUrl !== undefined && { baseUrl }) })
}
