import { Answered, type Handlers, withHost } from '../context.ts'
import { HttpError } from '../request/http-error.ts'

export const ruleHandlers: Handlers<'listRules' | 'addRule' | 'removeRule' | 'replayRules'> = {
  listRules: ({ workspace, mode }, request) =>
    withHost(request, workspace, async (host) => {
      const managed = new Set(request.home.rules.list().map(({ name }) => name))
      const rules = await host.rules(mode)
      const decided = await request.home.log.countRules(Date.now() - COUNTED_DAYS * DAY)
      return {
        mode: mode ?? host.mode,
        rules: rules.map(({ layer, source, rule, mode: of, isAnswered }) => ({
          ...{ layer, source, rule, decided: decided.get(rule.name) ?? 0 },
          isManaged: layer === 'user' && source.endsWith('managed.toml') && managed.has(rule.name),
          ...(of && { mode: of }),
          ...(isAnswered !== undefined && { isAnswered }),
        })),
      }
    }),
  async addRule(rule, request) {
    const wrong = (await withHost(request, undefined, (host) => host.tryRule(rule))).find(({ holds }) => !holds)
    if (wrong) throw new HttpError('INVALID_ARGUMENTS', `The example ${wrong.example} is wrong: ${wrong.text}.`)
    await request.home.rules.add(rule)
    return new Answered(201, { done: true })
  },
  async removeRule({ name }, { home }) {
    if (await home.rules.remove(name)) return { done: true }
    throw new HttpError(
      'FILE_NOT_FOUND',
      `There is no rule ${JSON.stringify(name)} that was added here. Rules of settings.toml are removed there.`,
    )
  },
  replayRules: ({ workspace, rule, days }, request) =>
    withHost(request, workspace, async (host) => {
      const examples = rule && (await host.tryRule(rule))
      const since = days === undefined ? {} : { since: Date.now() - days * DAY }
      const report = await host.replay({ ...since, ...(rule && { rule }) })
      return { ...report, ...(examples && { examples: examples.map(({ name: _, ...one }) => one) }) }
    }),
}

/** How far back the calls that a rule decided are counted. */
const COUNTED_DAYS = 30
const DAY = 86_400_000
