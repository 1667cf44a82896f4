import { describe, expect, it } from 'vitest'
import { LOCATION } from '../../test/support/shell-location.ts'
import { validCall } from '../../test/support/valid-call.ts'
import type { RealChange, Rule } from '../core/rules/rule.ts'
import type { Mode } from '../core/session/mode.ts'
import { openGrants } from '../settings/grants/grants-file.ts'
import { createRuleBook } from './rule-book.ts'

const SHELL = await validCall('shell', { command: 'make' })

function judge(
  changes: readonly RealChange[],
  given: { rules?: readonly Rule[]; mode?: Mode; approved?: string[] } = {},
) {
  const book = createRuleBook(LOCATION, { grants: openGrants(undefined), digestCall: () => '' })
  for (const rule of given.rules ?? []) book.add(rule, { layer: 'user', source: 'test' })
  const call = { ...SHELL, mode: given.mode ?? 'ask' }
  return book.judgeChanges({ ...call, ...(given.approved && { approvedPaths: given.approved }) }, changes)
}

const wrote = (path: string, existed = true): RealChange => ({ kind: 'writes', path, existed })
const deleted = (path: string): RealChange => ({ kind: 'deletes', path, existed: true })
const READ_ONLY: Rule = { name: 'src is read-only', decision: 'deny', writes: ['src/**'] }
const ASK_DOCS: Rule = { name: 'docs', decision: 'ask', writes: ['docs/**'] }

describe('S4.2 what a command really changed is judged by the same rules', () => {
  it('one rule on writes makes a folder read-only, also against deletion', () => {
    for (const change of [wrote('src/a.ts'), wrote('src/deep/new.ts', false), deleted('src/a.ts')])
      expect(judge([wrote('a.txt'), change], { rules: [READ_ONLY] })).toMatchObject({
        decision: 'deny',
        rule: 'src is read-only',
        path: change.path,
      })
    expect(judge([wrote('lib/a.ts')], { rules: [READ_ONLY] })).toMatchObject({ decision: 'allow' })
  })

  it('existing files alone ask nothing: that ask is a prediction', () => {
    expect(judge([wrote('a.txt'), deleted('dir/b.txt')])).toMatchObject({ decision: 'allow' })
  })

  it('files that other programs trust ask, the settings of Haft are denied', () => {
    expect(judge([wrote('.envrc', false)])).toMatchObject({
      decision: 'ask',
      rule: 'ask_trusted_files',
      path: '.envrc',
    })
    expect(judge([wrote('a'), wrote('.haft/x'), wrote('.envrc')])).toMatchObject({ decision: 'deny', rule: 'no_hooks' })
    expect(judge([wrote('.haft/settings.toml')])).toMatchObject({ decision: 'deny' })
  })

  it('the inside of a repository is left to the apply step, except for rules of people', () => {
    const committed = [
      wrote('.git/index'),
      wrote('.git/objects/ab/cd', false),
      wrote('.git/config'),
      deleted('sub/.git/x'),
    ]
    expect(judge(committed)).toMatchObject({ decision: 'allow' })
    const frozen: Rule = { name: 'frozen', decision: 'deny', writes: ['.git/**'] }
    expect(judge(committed, { rules: [frozen] })).toMatchObject({ decision: 'deny', path: '.git/index' })
  })

  it('asks of the person count, except for paths that the approval named', () => {
    expect(judge([wrote('docs/a.md')], { rules: [ASK_DOCS] })).toMatchObject({ decision: 'ask', path: 'docs/a.md' })
    const approved = [`${LOCATION.workspace}/docs/a.md`, 'src/a.ts']
    expect(judge([wrote('docs/a.md')], { rules: [ASK_DOCS], approved })).toMatchObject({ decision: 'allow' })
    expect(judge([wrote('docs/b.md')], { rules: [ASK_DOCS], approved })).toMatchObject({ decision: 'ask' })
    expect(judge([wrote('src/a.ts')], { rules: [READ_ONLY], approved })).toMatchObject({ decision: 'deny' })
  })

  it('mode auto answers the default ask and none of the person, mode edit answers neither', () => {
    expect(judge([wrote('.envrc')], { mode: 'auto' })).toMatchObject({ decision: 'allow' })
    expect(judge([wrote('docs/a')], { mode: 'auto', rules: [ASK_DOCS] })).toMatchObject({ decision: 'ask' })
    expect(judge([wrote('.envrc')], { mode: 'edit' })).toMatchObject({ decision: 'ask' })
  })

  it('a rule on other things than paths does not ask a second time', () => {
    expect(judge([wrote('a.txt')], { rules: [{ name: 'all', decision: 'ask', tools: ['shell'] }] })).toMatchObject({
      decision: 'allow',
    })
  })

  it('a rule that throws denies', () => {
    const broken: Rule = {
      name: 'broken',
      decision: 'ask',
      paths: ['**'],
      when: () => {
        throw new Error('x')
      },
    }
    expect(judge([wrote('a.txt')], { rules: [broken] })).toMatchObject({ decision: 'deny', rule: 'broken' })
  })
})
