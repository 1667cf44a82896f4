import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { scoreCase, type TextCallCases, toolsOf } from '../../../test/support/text-call-cases.ts'
import { readTextCalls } from './read-text-calls.ts'

function load(name: string): TextCallCases {
  return JSON.parse(readFileSync(new URL(`../../../test/data/${name}`, import.meta.url), 'utf8'))
}

const given = load('toolcalls.json')

describe('every reply of the case file is read as it says', () => {
  test.each(given.cases.map((one) => [one.id, one] as const))('%s', (_, one) => {
    const reading = readTextCalls(one.text, toolsOf(given.toolSchemas, one.tools))
    expect(scoreCase(given.toolSchemas, one, reading)).toBeUndefined()
  })
})
