import { describe, expect, it } from 'vitest'
import { PLACE } from '../../../test/support/shell-place.ts'
import { readShell } from '../shell/read-shell.ts'
import { DEFAULT_RULES, judgeShell } from './judge-shell.ts'

const speaking = (command: string) => judgeShell(readShell(command, PLACE), PLACE).map((opinion) => opinion.rule)

describe('S4.2 every default rule keeps its examples', () => {
  for (const { name, examples } of DEFAULT_RULES) {
    it.each(examples.matches)(`${name} speaks of: %s`, (command) => expect(speaking(command)).toContain(name))
    it.each(examples.not)(`${name} is silent on: %s`, (command) => expect(speaking(command)).not.toContain(name))
  }

  it('names are unique', () => {
    const names = DEFAULT_RULES.map((rule) => rule.name)
    expect(new Set(names).size).toBe(names.length)
  })

  it('says which rule and what it saw', () => {
    const [first] = judgeShell(readShell('ls; rm -rf ~', PLACE), PLACE)
    expect(first).toMatchObject({ layer: 'defaults', rule: 'no_system_destruction', decision: 'deny' })
    expect(first?.reason).toContain('deletes /home/dev and everything below')
  })
})
