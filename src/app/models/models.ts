import { join } from 'node:path'
import type { ModelSettings } from '../../core/model-settings.ts'
import { type Model, type ModelAbilities, ModelError } from '../../core/ports/model.ts'
import { addManagedModel, checkAddedModel } from '../../settings/managed/managed-file.ts'
import { openModelKeys } from '../../settings/managed/model-keys.ts'
import type { SettingsFile } from '../../settings/read-settings.ts'
import type { Settings } from '../../settings/settings.ts'
import { listAll, type ModelSources } from './list-all.ts'
import { type Probe, probeModel } from './probe-model.ts'

/** A model that can be used, or why it cannot. */
export interface ListedModel {
  /** As `--model` and the settings name it; `PROVIDER:NAME` where a key opens any model of a provider. */
  readonly name: string
  /** A settings file, a server that was found, or the variable that holds a key. */
  readonly from: string
  /** True for the one that is used where nobody names another. */
  readonly isSelected: boolean
  readonly abilities: ModelAbilities
  /** Why it cannot be used now. */
  readonly problem?: string
}

/** A model to be added. */
export interface NewModel {
  readonly name: string
  readonly settings: ModelSettings
  /** Kept in a private file, never in the settings or the log. */
  readonly key?: string
  /** Makes it the one that is used where nobody names another. */
  readonly isDefault?: boolean
}

/** The models of a home. */
export interface Models {
  /** The model that is used where nobody names another: HAFT_MODEL, else that of the settings. */
  selected(): string | undefined
  /** Every model that the settings name or that is found without them, with what each can do; sends no chat. */
  list(): Promise<readonly ListedModel[]>
  /** The names of the models that a server offers, by its metadata. Rejects with ModelError where it does not answer or refuses the key. */
  offered(server: Omit<ModelSettings, 'model'>, key?: string): Promise<readonly string[]>
  /** Opens a model, the selected one where none is named. Rejects with ModelError. */
  open(name?: string): Promise<Model>
  /** Stores a model and its key in Haft's home. Rejects where there is no home or the name is taken by settings.toml. */
  add(model: NewModel): Promise<void>
  /** Sends a short chat and says what came of it; the only part that does so unasked by a session. */
  probe(name?: string): Promise<Probe>
}

interface ModelsParts {
  readonly home: string | undefined
  readonly settings: Settings
  readonly user: SettingsFile | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where the paths of recordings start. */
  readonly folder: string
}

/** The models of a home. */
export function createModels({ home, settings, user, env, folder }: ModelsParts): Models {
  const keys = openModelKeys(home)
  let { models, model: settled } = settings
  const owned = new Set(Object.keys(user?.given.models ?? {}))
  const sources = (): ModelSources => ({
    options: {
      models,
      env,
      folder,
      keyOf: keys.get,
      ...(home !== undefined && { abilitiesFile: join(home, 'model-abilities.json') }),
    },
    selected: selected(),
    sourceOf: (table) => (owned.has(table) ? 'settings.toml' : 'managed.toml'),
  })
  const selected = () => env.HAFT_MODEL || settled
  const open = async (name = selected()): Promise<Model> => {
    if (name === undefined) throw new ModelError('No model is chosen. Set model in settings.toml, or HAFT_MODEL.')
    const { openModel } = await import('../../models/open-model.ts')
    return openModel(name, sources().options)
  }
  return {
    selected,
    list: () => listAll(sources()),
    async offered(server, key) {
      const { listModels } = await import('../../models/list-models.ts')
      const { findKey } = await import('../../models/open/find-key.ts')
      const apiKey = findKey(server, { env, stored: key })
      return listModels({ ...server, env, ...(apiKey !== undefined && { apiKey }) })
    },
    open,
    async add(added) {
      if (home === undefined) throw new ModelError('A model is stored in the home of Haft, and this one has none.')
      if (owned.has(added.name))
        throw new ModelError(`settings.toml has a model ${added.name} already; choose another name.`)
      checkAddedModel(added)
      if (added.key !== undefined) keys.set(added.name, added.key)
      await addManagedModel(home, added)
      models = { ...models, [added.name]: added.settings }
      if (added.isDefault && user?.given.model === undefined) settled = added.name
    },
    probe: async (name) => probeModel(await open(name)),
  }
}
