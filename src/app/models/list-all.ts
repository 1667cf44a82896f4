import { messageOf } from '../../core/call/result.ts'
import type { OpenModelOptions } from '../../models/open-model.ts'
import type { ListedModel } from './models.ts'

/** Where models are from that commands and pages have added. */
export const MANAGED = 'managed.toml'

/** What models are listed from. */
export interface ModelSources {
  readonly options: OpenModelOptions
  readonly selected: string | undefined
  /** The settings file that holds a table. */
  sourceOf(table: string): string
}

/** Every model that is settled or found; those that the settings name come first. */
export async function listAll(sources: ModelSources): Promise<readonly ListedModel[]> {
  const { options, selected, sourceOf } = sources
  const { findModels } = await import('../../models/find-models.ts')
  const found = await findModels({ env: options.env })
  const named = Object.keys(options.models).map((name) => ({ name, from: sourceOf(name) }))
  const known = [...named, ...found.models]
  const isMissing = selected !== undefined && !known.some(({ name }) => name === selected)
  const missing = isMissing ? [markMissing(await examine({ name: selected, from: 'chosen' }, sources))] : []
  const listed = [...missing, ...(await Promise.all(known.map((one) => examine(one, sources))))]
  const keys = found.keys.map(({ provider, variable }) => ({
    name: `${provider}:NAME`,
    from: variable,
    isSelected: false,
    isManaged: false,
    abilities: {},
  }))
  return [...listed, ...keys]
}

/** A model of a local server that was chosen and not found there. */
function markMissing(model: ListedModel): ListedModel {
  if (model.problem !== undefined || !/^(ollama|lmstudio):/.test(model.name)) return model
  return { ...model, problem: 'it was not found: its server is not running, or has no such model' }
}

async function examine(
  { name, from }: Pick<ListedModel, 'name' | 'from'>,
  sources: ModelSources,
): Promise<ListedModel> {
  const isManaged = Object.hasOwn(sources.options.models, name) && sources.sourceOf(name) === MANAGED
  const listed = { name, from, isManaged, isSelected: name === sources.selected }
  try {
    const { openModel } = await import('../../models/open-model.ts')
    const model = await openModel(name, sources.options)
    const problem = await findProblem(name, sources)
    return { ...listed, abilities: await model.abilities(), ...(problem !== undefined && { problem }) }
  } catch (thrown) {
    return { ...listed, abilities: {}, problem: messageOf(thrown) }
  }
}

/** Why the server of a table cannot be used; models that were found have just been listed by their servers. */
async function findProblem(name: string, { options }: ModelSources): Promise<string | undefined> {
  const settings = Object.hasOwn(options.models, name) ? options.models[name] : undefined
  if (settings === undefined) return undefined
  const { listModels } = await import('../../models/list-models.ts')
  const { findKey } = await import('../../models/open/find-key.ts')
  try {
    const apiKey = findKey(settings, { env: options.env, stored: options.keyOf?.(name), table: name })
    const offered = await listModels({ ...settings, env: options.env, ...(apiKey !== undefined && { apiKey }) })
    const isOffered = offered.some((one) => one === settings.model || one === `${settings.model}:latest`)
    return isOffered ? undefined : `the server has no model ${settings.model}`
  } catch (thrown) {
    return messageOf(thrown)
  }
}
