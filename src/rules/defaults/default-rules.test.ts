import { describe, expect, it } from 'vitest'
import { LOCATION } from '../../../test/support/shell-location.ts'
import { readShell } from '../shell/read-shell.ts'
import { DEFAULT_RULES, judgeShell } from './judge-shell.ts'

const speaking = (command: string) => judgeShell(readShell(command, LOCATION), LOCATION).map((opinion) => opinion.rule)

describe('S4.2 every default rule matches its examples', () => {
  for (const { name, examples } of DEFAULT_RULES) {
    it.each(examples.matches)(`${name} speaks of: %s`, (command) => expect(speaking(command)).toContain(name))
    it.each(examples.not)(`${name} is silent on: %s`, (command) => expect(speaking(command)).not.toContain(name))
  }

  it('names are unique', () => {
    const names = DEFAULT_RULES.map((rule) => rule.name)
    expect(new Set(names).size).toBe(names.length)
  })

  it('an opinion names the rule and the effect', () => {
    const [first] = judgeShell(readShell('ls; rm -rf ~', LOCATION), LOCATION)
    expect(first).toMatchObject({ layer: 'defaults', rule: 'no_system_destruction', decision: 'deny' })
    expect(first?.reason).toBe('deleting /home/dev would destroy the system, a home folder or the workspace')
    const [install] = judgeShell(readShell('npm ci', LOCATION), LOCATION)
    expect(install?.reason).toBe('the command fetches code from the network and may run it (npm ci)')
  })
})
