import { messageOf } from '../../core/call/result.ts'
import { ModelError } from '../../core/ports/model.ts'
import { Answered, type Handlers } from '../context.ts'
import { HttpError } from '../request/http-error.ts'

export const modelHandlers: Handlers<'listModels' | 'addModel' | 'offeredModels' | 'testModel' | 'removeModel'> = {
  async listModels(_, { home }) {
    const [models, { name, note }] = [await home.models.list(), await home.models.choose()]
    return { models, chosen: name, ...(note !== undefined && { note }) }
  },
  async addModel({ name, settings, key, isDefault }, { home }) {
    try {
      await home.models.add({ name, settings, ...(key !== undefined && { key }), ...(isDefault && { isDefault }) })
    } catch (thrown) {
      throw new HttpError('INVALID_ARGUMENTS', messageOf(thrown))
    }
    return new Answered(201, { done: true })
  },
  offeredModels: ({ provider, baseUrl, key }, { home }) =>
    asking(async () => ({
      models: await home.models.offered({ provider, ...(baseUrl !== undefined && { baseUrl }) }, key),
    })),
  testModel: ({ name }, { home }) => asking(() => home.models.probe(name)),
  async removeModel({ name }, { home }) {
    if (await home.models.remove(name)) return { done: true }
    throw new HttpError(
      'FILE_NOT_FOUND',
      `There is no model ${JSON.stringify(name)} that was added here. Models of settings.toml are removed there.`,
    )
  },
}

/** Asks the server of a model. One that does not answer is no fault of the request. */
async function asking<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (thrown) {
    if (thrown instanceof ModelError) throw new HttpError('UNAVAILABLE', thrown.message, { status: 424 })
    throw thrown
  }
}
