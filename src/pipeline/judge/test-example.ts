import type { ValidCall } from '../../core/call/call.ts'
import { isFailure } from '../../core/call/result.ts'
import type { RuleInForce } from '../../core/rules/rule.ts'
import type { Snapshot } from '../../core/tool/snapshot.ts'
import { parse } from '../parse/parse.ts'
import type { Parts } from '../request.ts'
import { validateArguments } from '../validate/validate.ts'
import { judgeCall } from './judge.ts'

/** The outcome of one example of a rule. */
export interface ExampleReport {
  readonly name: string
  readonly example: string
  readonly holds: boolean
  readonly text: string
}

/** Tests every example of a rule: the rule must match those under its decision, and must not match those under `not`. */
export async function testExamples(
  { rule, mode, supposes }: RuleInForce,
  snapshot: Snapshot,
  parts: Pick<Parts, 'judge'>,
): Promise<ExampleReport[]> {
  const examples = Object.entries(rule.examples ?? {}).flatMap(([key, list]) =>
    list.map((example) => ({ key, example })),
  )
  return Promise.all(
    examples.map(async ({ key, example }) => {
      const text = await whyWrong({ rule, mode, supposes, key, example }, snapshot, parts)
      return { name: rule.name, example, holds: text === undefined, text: text ?? 'as expected' }
    }),
  )
}

interface Example {
  readonly rule: RuleInForce['rule']
  readonly mode: RuleInForce['mode']
  readonly supposes: RuleInForce['supposes']
  readonly key: string
  readonly example: string
}

async function whyWrong(
  { rule, mode, supposes, key, example }: Example,
  snapshot: Snapshot,
  parts: Pick<Parts, 'judge'>,
): Promise<string | undefined> {
  if (key !== 'not' && key !== rule.decision)
    return `it is listed under "${key}", but the rule's decision is ${rule.decision}`
  const call = await readExample(example, snapshot, mode)
  if (typeof call === 'string') return call
  const { verdict } = await judgeCall(call, parts.judge, supposes)
  const speaks = verdict.trace.some((opinion) => opinion.rule === rule.name)
  if (speaks === (key !== 'not')) return undefined
  return speaks ? 'the rule matches it but should not' : 'the rule does not match it but should'
}

/** Reads `write_file {"path":"a"}` as a valid call, or returns why it is not valid. */
async function readExample(
  example: string,
  snapshot: Snapshot,
  mode: RuleInForce['mode'],
): Promise<ValidCall | string> {
  const [, name = '', args = ''] = /^(\S+)\s*([\s\S]*)$/.exec(example) ?? []
  const parsed = await parse({ id: 'example', session: 'example', name, arguments: args, mode }, snapshot)
  if (isFailure(parsed)) return parsed.text
  const validated = await validateArguments(parsed, snapshot)
  return isFailure(validated) ? validated.text : validated.call
}
