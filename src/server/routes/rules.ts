import { Answered, type Handlers, withHost } from '../context.ts'
import { HttpError } from '../request/http-error.ts'

export const ruleHandlers: Handlers<'listRules' | 'addRule' | 'removeRule' | 'replayRules'> = {
  listRules: ({ workspace, mode }, request) =>
    withHost(request, workspace, async (host) => {
      const managed = new Set(request.home.rules.list().map(({ name }) => name))
      const rules = await host.rules(mode)
      return {
        mode: mode ?? host.mode,
        rules: rules.map(({ layer, source, rule, mode: of, isAnswered }) => ({
          ...{ layer, source, rule },
          isManaged: layer === 'user' && source.endsWith('managed.toml') && managed.has(rule.name),
          ...(of && { mode: of }),
          ...(isAnswered !== undefined && { isAnswered }),
        })),
      }
    }),
  async addRule(rule, { home }) {
    await home.rules.add(rule)
    return new Answered(201, { done: true })
  },
  async removeRule({ name }, { home }) {
    if (await home.rules.remove(name)) return { done: true }
    throw new HttpError(
      'FILE_NOT_FOUND',
      `There is no rule ${JSON.stringify(name)} that was added here. Rules of settings.toml are removed there.`,
    )
  },
  replayRules: ({ workspace }, request) => withHost(request, workspace, (host) => host.replay()),
}
