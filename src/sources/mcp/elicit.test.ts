import type { ElicitRequestParams } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import type { InputQuestion } from '../../core/input/input.ts'
import { elicit } from './elicit.ts'

/** Asks for fields of these schemas; answers are given in order, undefined where nobody answers. */
async function ask(properties: object, answers: readonly (string | undefined)[], required: readonly string[] = []) {
  const questions: InputQuestion[] = []
  const params = { mode: 'form', message: 'Hello', requestedSchema: { type: 'object', properties, required } }
  // Data enters here: a server may send anything.
  const result = await elicit('bad', params as unknown as ElicitRequestParams, async (question) => {
    const answer = answers[questions.length]
    questions.push(question)
    return answer === undefined ? { answered: false, reason: 'nobody' } : { answered: true, answer, by: 'test' }
  })
  return { result, questions }
}

const accepted = (content: object) => ({ action: 'accept', content })

test.each([
  ['text', { type: 'string' }, ' as it is ', ' as it is '],
  ['a whole number', { type: 'integer' }, '7', 7],
  ['a number', { type: 'number' }, ' 1.5', 1.5],
  ['yes', { type: 'boolean' }, 'yes', true],
  ['n', { type: 'boolean' }, 'n', false],
  ['a choice', { type: 'string', enum: ['a', 'b'] }, 'b', 'b'],
  ['a choice by its old name', { type: 'string', enum: ['a', 'b'], enumNames: ['First', 'Second'] }, 'Second', 'b'],
  ['a choice by its title', { type: 'string', oneOf: [{ const: 'a', title: 'First' }] }, 'First', 'a'],
  ['several', { type: 'array', items: { enum: ['a', 'b', 'c'] } }, 'a, c', ['a', 'c']],
  ['several by title', { type: 'array', items: { anyOf: [{ const: 'a', title: 'A!' }] } }, 'A!', ['a']],
])('an answer becomes the value of its field: %s', async (_, schema, answer, value) => {
  expect((await ask({ field: schema }, [answer], ['field'])).result).toEqual(accepted({ field: value }))
})

test.each([
  [{ type: 'integer' }, '1.5', 'a whole number is expected'],
  [{ type: 'number' }, '', 'a number is expected'],
  [{ type: 'number', minimum: 3 }, '2', 'at least 3'],
  [{ type: 'number', maximum: 3 }, '4', 'at most 3'],
  [{ type: 'string', minLength: 3 }, 'ab', 'at least 3 characters'],
  [{ type: 'string', maxLength: 1 }, 'ab', 'at most 1 characters'],
  [{ type: 'string', enum: ['a'] }, 'c', 'choose one of a'],
  [{ type: 'boolean' }, 'perhaps', 'choose one of yes, no'],
  [{ type: 'array', items: { enum: ['a'] } }, 'a,c', 'choose from a'],
])('an answer that does not fit %j is asked for again, three times at most', async (schema, answer, problem) => {
  const { result, questions } = await ask({ field: schema }, [answer, answer, answer, answer], ['field'])
  expect(result).toEqual({ action: 'cancel' })
  expect(questions).toHaveLength(3)
  expect(questions[1]?.question).toContain(`${JSON.stringify(answer)} does not fit: ${problem}`)
})

test('an empty answer takes what the server proposes, also where the field is required', async () => {
  const properties = {
    name: { type: 'string', default: 'Ada' },
    age: { type: 'integer', default: 36 },
    tags: { type: 'array', items: { enum: ['a', 'b'] }, default: ['b'] },
    wrong: { type: 'integer', default: 'many' },
  }
  const { result, questions } = await ask(properties, ['', ' ', '', ''], ['name'])
  expect(result).toEqual(accepted({ name: 'Ada', age: 36, tags: ['b'] }))
  expect(questions[1]?.question).toContain('age [integer, optional, empty for 36]')
})

test('a field can be left empty, the form declined, and nobody may answer', async () => {
  const two = { a: { type: 'string', default: 'x' }, b: { type: 'string' } }
  expect((await ask(two, ['Leave empty', ''])).result).toEqual(accepted({}))
  expect((await ask(two, ['x', 'decline'])).result).toEqual({ action: 'decline' })
  expect((await ask(two, ['x', undefined])).result).toEqual({ action: 'cancel' })
  expect((await ask({}, ['Accept'])).result).toEqual(accepted({}))
  expect((await ask({}, ['Decline'])).result).toEqual({ action: 'decline' })
})

test('a form of many fields asks nobody; what a server writes is bounded and shown without control characters', async () => {
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`f${at}`, { type: 'string' }]))
  const { result, questions } = await ask(many, [])
  expect({ result, questions }).toEqual({ result: { action: 'cancel' }, questions: [] })
  const message = `\u001b[2J${'x'.repeat(100_000)}`
  const shown: string[] = []
  const params: ElicitRequestParams = { mode: 'url', message, url: 'https://a.example/\u202e', elicitationId: '1' }
  await elicit('bad', params, async ({ question }) => {
    shown.push(question)
    return { answered: true, answer: 'Done', by: 'test' }
  })
  expect(shown[0]?.length).toBeLessThan(5_000)
  expect(shown[0]).toContain('The MCP server bad asks: \\u{1b}[2J')
  expect(shown[0]).toContain('https://a.example/\\u{202e}\nOpen it yourself if you trust it; Haft does not.')
})
