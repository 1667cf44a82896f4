import { expect, test } from 'vitest'
import { countRepairs } from './count-repairs.ts'
import type { Event, EventBody } from './event.ts'

const eventsOf = (bodies: readonly EventBody[]): Event[] => bodies.map((body, at) => ({ ...body, id: `e${at}`, at }))
const start = (session: string, model: string): EventBody => ({ type: 'run-start', session, model, mode: 'ask' })
const end = (session: string): EventBody => ({ type: 'run-end', session, reason: 'reply', steps: 1 })
const reply = (session: string, ...repairs: string[]): EventBody => {
  return { type: 'model-call', session, step: 1, usage: {}, ms: 1, ...(repairs.length > 0 && { repairs }) }
}
const call = (session: string): EventBody => ({ type: 'call-start', session, call: 'c1', name: 'x', arguments: {} })
const repaired = (session: string): EventBody => {
  return { type: 'call-repaired', session, call: 'c1', repairs: ['read limit as number: it was given as text'] }
}

test('counts replies, calls and what was repaired, per model and over sessions that overlap', () => {
  const events = eventsOf([
    start('s1', 'ollama:a'),
    start('s2', 'work'),
    reply('s1', 'Read a call printed as text (Mistral): read_file.'),
    call('s1'),
    repaired('s1'),
    reply('s2'),
    end('s1'),
    start('s1', 'ollama:a'),
    reply(
      's1',
      'Read 2 calls printed as text (Mistral): read_file, shell.',
      'Dropped closing brackets that were too many.',
    ),
  ])
  expect(countRepairs(events)).toEqual([
    {
      model: 'ollama:a',
      replies: 2,
      repairedReplies: 2,
      calls: 1,
      repairedCalls: 1,
      repairs: [
        { repair: 'Read calls printed as text (Mistral)', count: 2 },
        { repair: 'read limit as number', count: 1 },
        { repair: 'Dropped closing brackets that were too many', count: 1 },
      ],
    },
    { model: 'work', replies: 1, repairedReplies: 0, calls: 0, repairedCalls: 0, repairs: [] },
  ])
})

test('a session that changes its model counts for each, and calls outside of a run for none', () => {
  const events = eventsOf([
    call('s1'),
    start('s1', 'a'),
    reply('s1', 'Two calls had the same id; the second id was dropped.'),
    end('s1'),
    call('s1'),
    repaired('s1'),
    start('s1', 'b'),
    reply('s1'),
  ])
  expect(countRepairs(events)).toMatchObject([
    { model: 'a', replies: 1, repairedReplies: 1, calls: 0, repairedCalls: 0 },
    { model: 'b', replies: 1, repairedReplies: 0 },
  ])
})

test('the same kind twice in one reply counts once, and a sentence that begins with a quotation stays as it is', () => {
  const events = eventsOf([
    start('s', 'a'),
    reply(
      's',
      `Read another spelling of a tool's name: "A" as a.`,
      `Read another spelling of a tool's name: "B" as b.`,
    ),
    reply('s', '"x" was odd.'),
  ])
  expect(countRepairs(events)[0]?.repairs).toEqual([
    { repair: `Read another spelling of a tool's name`, count: 1 },
    { repair: '"x" was odd.', count: 1 },
  ])
})
