import { join, resolve } from 'node:path'
import { ModelError } from '../../core/ports/model.ts'
import { addManagedModel, checkAddedModel, removeManagedModel } from '../../settings/managed/managed-file.ts'
import { openModelKeys } from '../../settings/managed/model-keys.ts'
import type { SettingsFile } from '../../settings/read-settings.ts'
import type { LiveSettings } from '../open/live-settings.ts'
import { chooseModel } from './choose-model.ts'
import { listAll, MANAGED, type ModelSources } from './list-all.ts'
import type { Models } from './models.ts'
import { probeModel } from './probe-model.ts'

interface ModelsParts {
  readonly home: string | undefined
  readonly live: Pick<LiveSettings, 'now' | 'refresh'>
  readonly user: SettingsFile | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where the paths of recordings start. */
  readonly folder: string
}

/** The models of a home. */
export function createModels({ home, live, user, env, folder }: ModelsParts): Models {
  const keys = openModelKeys(home)
  const models = () => live.now().models
  const owned = new Set(Object.keys(user?.given.models ?? {}))
  const sources = (): ModelSources => ({
    options: {
      models: models(),
      env,
      folder,
      keyOf: keys.get,
      ...(home !== undefined && { abilitiesFile: join(home, 'model-abilities.json') }),
    },
    selected: selected(),
    sourceOf: (table) => (owned.has(table) ? 'settings.toml' : MANAGED),
  })
  const selected = () => env.HAFT_MODEL || live.now().model
  const choose = (name = selected()): string => {
    if (name === undefined) throw new ModelError('No model is chosen. Set model in settings.toml, or HAFT_MODEL.')
    return name
  }
  const open: Models['open'] = async (name, { record, repliesOnly = false } = {}) => {
    const { openModel } = await import('../../models/open-model.ts')
    const model = await openModel(choose(name), sources().options)
    if (record === undefined) return model
    const { recordModel } = await import('../../models/record.ts')
    return recordModel(model, resolve(folder, record), { repliesOnly })
  }
  const list = () => listAll(sources())
  return {
    selected,
    settled: models,
    choose: (named) => chooseModel({ selected, list }, named),
    list,
    async offered(server, key) {
      const { listModels } = await import('../../models/list-models.ts')
      const { findKey } = await import('../../models/open/find-key.ts')
      const apiKey = findKey(server, { env, stored: key })
      return listModels({ ...server, env, ...(apiKey !== undefined && { apiKey }) })
    },
    open,
    async toolTarget(name) {
      const { findToolTarget } = await import('../../models/open-model.ts')
      const target = findToolTarget(choose(name), { models: models() })
      // Where the model cannot be opened now, its protocol says it all.
      const model = target === 'openai' ? await open(name).catch(() => undefined) : undefined
      return (await model?.abilities())?.grammar ? 'llama.cpp' : target
    },
    async add(added) {
      if (home === undefined) throw new ModelError('Models are stored in HAFT_HOME, but Haft was opened without one.')
      if (owned.has(added.name))
        throw new ModelError(`settings.toml has a model ${added.name} already; choose another name.`)
      checkAddedModel(added)
      if (added.key !== undefined) keys.set(added.name, added.key)
      await addManagedModel(home, added)
      live.refresh()
    },
    async remove(name) {
      if (home === undefined || owned.has(name) || !Object.hasOwn(models(), name)) return false
      await removeManagedModel(home, name)
      keys.remove(name)
      live.refresh()
      return true
    },
    probe: async (name, snapshot) => probeModel(await open(name), snapshot),
  }
}
