import { MODEL_PROVIDERS, type ModelPrice, type ModelSettings } from '../core/model-settings.ts'
import { type Check, count, named, notNegative, positive, table, text, webAddress, word, yesNo } from './check-value.ts'

const checkPrice: Check<Partial<ModelPrice>> = table<ModelPrice>({
  input: { key: 'input', check: notNegative, required: { message: 'a price needs input: what a million tokens cost' } },
  output: {
    key: 'output',
    check: notNegative,
    required: { message: 'a price needs output: what a million tokens cost' },
  },
})

/** A price with both its numbers; what is missing was reported by the table. */
const checkFullPrice: Check<ModelPrice> = (value, path, tell) => {
  const { input, output } = checkPrice(value, path, tell) ?? {}
  return input === undefined || output === undefined ? undefined : { input, output }
}

const checkMembers: Check<Partial<ModelSettings>> = table<Required<ModelSettings>>({
  provider: {
    key: 'provider',
    check: word(...MODEL_PROVIDERS),
    required: { message: `a model needs a provider: ${MODEL_PROVIDERS.join(', ')}` },
  },
  model: {
    key: 'model',
    check: text,
    required: { message: 'a model needs the name that its server knows it by: model' },
  },
  baseUrl: { key: 'base_url', check: webAddress },
  apiKeyEnv: { key: 'api_key_env', check: text },
  context: { key: 'context', check: positive },
  maxOutput: { key: 'max_output', check: count },
  headers: { key: 'headers', check: named(text) },
  temperature: { key: 'temperature', check: notNegative },
  price: { key: 'price', check: checkFullPrice },
  strict: { key: 'strict', check: yesNo },
})

/** One `[models.NAME]` table. Its name has no colon, so that it is never taken for `PROVIDER:NAME`. */
const checkModel: Check<ModelSettings> = (value, path, tell) => {
  const name = String(path.at(-1))
  if (name.includes(':')) tell({ path, message: 'the name of a model has no colon' })
  const { provider, model, ...rest } = checkMembers(value, path, tell) ?? {}
  if (rest.strict !== undefined && provider !== undefined && provider !== 'openai')
    tell({ path: [...path, 'strict'], message: 'only models of the provider openai can be strict' })
  return provider === undefined || model === undefined ? undefined : { provider, model, ...rest }
}

/** All `[models.NAME]` tables. */
export const checkModels: Check<Readonly<Record<string, ModelSettings>>> = named(checkModel)

/** A model as the keys of a settings file. */
export function writeModel(settings: ModelSettings): Record<string, unknown> {
  const { baseUrl, apiKeyEnv, maxOutput, ...rest } = settings
  return {
    ...rest,
    ...(baseUrl !== undefined && { base_url: baseUrl }),
    ...(apiKeyEnv !== undefined && { api_key_env: apiKeyEnv }),
    ...(maxOutput !== undefined && { max_output: maxOutput }),
  }
}
