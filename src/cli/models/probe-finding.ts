import type { Host } from '../../app/host.ts'
import type { Finding } from '../../app/overview/examine.ts'
import { messageOf } from '../../core/call/result.ts'

/** What a test chat with a model shows: whether it answers, and whether it can call tools. */
export async function probeFinding({ models, registry }: Host, name: string | undefined): Promise<Finding> {
  const what = 'model'
  if ((name ?? models.selected()) === 'demo')
    return { what, holds: true, seen: 'demo is not a language model: it follows commands, so there is nothing to try' }
  try {
    const { model, calls, usage, repairs, milliseconds } = await models.probe(name, registry.snapshot())
    const called = calls ? 'called the tool it was asked to call' : 'did not call the tool it was asked to call'
    const tokens = `${usage.output ?? 0} tokens${usage.estimated ? ' (estimated)' : ''}`
    const seconds = (milliseconds / 1_000).toFixed(1)
    const seen = [`${model} answered in ${seconds} s with ${tokens} and ${called}.`, ...repairs].join(' ')
    return { what, holds: calls, seen }
  } catch (thrown) {
    return { what, holds: false, seen: messageOf(thrown) }
  }
}
