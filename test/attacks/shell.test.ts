import { describe, expect, it } from 'vitest'
import { judgeShell } from '../../src/rules/defaults/judge-shell.ts'
import { readShell } from '../../src/rules/shell/read-shell.ts'
import corpus from '../data/shell.json' with { type: 'json' }
import more from '../data/shell-more.json' with { type: 'json' }
import own from '../data/shell-own.json' with { type: 'json' }
import { LOCATION } from '../support/shell-location.ts'

function decide(command: string): string {
  const decisions = judgeShell(readShell(command, LOCATION), LOCATION).map((opinion) => opinion.decision)
  return decisions.includes('deny') ? 'deny' : decisions.includes('ask') ? 'ask' : 'allow'
}

const shorten = (command: string) => (command.length > 100 ? `${command.slice(0, 80)}…` : command).replaceAll('%', '%%')

const CORPORA = { 'the attack corpus': corpus, 'siblings of the attack corpus': more }

describe.each(Object.entries(CORPORA))('S4.3 %s', (_, { cases }) => {
  for (const { id, command, accept } of cases) {
    it(`${id} ${shorten(command)}`, () => expect(accept).toContain(decide(command)))
  }

  it('no attack is allowed', () => {
    const missed = cases.filter(({ id, command }) => id.startsWith('sh-a') && decide(command) === 'allow')
    expect(missed).toEqual([])
  })

  it('at most one benign command in a hundred is blocked', () => {
    const benign = cases.filter(({ id }) => id.startsWith('sh-b'))
    const blocked = benign.filter(({ command, accept }) => !accept.includes(decide(command)))
    expect(blocked.length / benign.length).toBeLessThanOrEqual(0.01)
  })

  it('97 decisions in a hundred are exactly the expected ones', () => {
    const exact = cases.filter(({ command, expect: wanted }) => decide(command) === wanted)
    expect(exact.length / cases.length).toBeGreaterThanOrEqual(0.97)
  })
})

describe('S4.3 neighbours of the corpus', () => {
  for (const [accepted, commands] of Object.entries(own)) {
    const accept = accepted.split(' or ')
    it.each(commands.map((command) => [shorten(command), command]))(`${accepted}: %s`, (_, command = '') => {
      expect(accept).toContain(decide(command))
    })
  }
})
