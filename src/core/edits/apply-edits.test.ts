import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { applyEdits, type EditOutcome } from './apply-edits.ts'
import { describeEditFailure } from './describe-failure.ts'
import type { Edit } from './match-edit.ts'

interface Case {
  readonly id: string
  readonly why: string
  readonly file: string | null
  readonly edits: readonly Edit[]
  readonly expect: Expected
  readonly accept?: readonly Expected[]
}

type Expected = { ok: true; content: string } | { ok: false; code: string; hintMentions?: readonly string[] }

const corpus = join(import.meta.dirname, '../../../test/data/edits.json')
const { cases }: { cases: readonly Case[] } = JSON.parse(readFileSync(corpus, 'utf8'))

describe('S3.6 edits are matched as the corpus says', () => {
  test.each(cases.map((each) => [each.id, each.why, each] as const))(
    '%s: %s',
    (_id, _why, { file, edits, ...wanted }) => {
      const outcome = applyEdits(file, edits)
      const fits = [wanted.expect, ...(wanted.accept ?? [])].find((expected) => isAs(outcome, expected))
      expect(fits ?? wanted.expect).toEqual(plain(outcome, fits ?? wanted.expect))
      if (outcome.ok || !fits || fits.ok) return
      const text = describeEditFailure(outcome, file ?? '', edits)
      for (const mention of fits.hintMentions ?? []) expect(text).toContain(mention)
    },
  )
})

function isAs(outcome: EditOutcome, expected: Expected): boolean {
  if (outcome.ok || expected.ok) return outcome.ok && expected.ok && outcome.content === expected.content
  return outcome.reason === expected.code
}

/** The outcome in the words of the corpus, so that a failing test shows the difference. */
function plain(outcome: EditOutcome, expected: Expected): Expected {
  if (outcome.ok) return { ok: true, content: outcome.content }
  return { ...(expected.ok ? {} : expected), ok: false, code: outcome.reason }
}
