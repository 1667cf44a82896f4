import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { answerLines } from './json-lines.ts'

const ids = Array.from({ length: 500 }, (_, id) => id)

/** Answers 500 lines at once, but the first only after line `last` was read; returns the ids as they were written, and the most that were read and not yet written. */
async function answerAll({ unordered, last }: { unordered: boolean; last: number }) {
  const first = Promise.withResolvers<object>()
  const written: number[] = []
  let ahead = 0
  await answerLines(Readable.from([ids.map((id) => `{"id":${id},"name":"any"}`).join('\n')]), {
    unordered,
    write: (answer) => written.push(Number(Reflect.get(answer, 'id'))),
    answer({ id }) {
      ahead = Math.max(ahead, Number(id) + 1 - written.length)
      if (id === last) setImmediate(first.resolve, {})
      return id === 0 ? first.promise : Promise.resolve({})
    },
  })
  return { written, ahead }
}

test('answers come in the order of the lines, and no more than 64 lines are read ahead of the first one without', async () => {
  expect(await answerAll({ unordered: false, last: 63 })).toEqual({ written: ids, ahead: 64 })
})

test('unordered answers come as soon as they are there', async () => {
  const { written } = await answerAll({ unordered: true, last: 499 })
  expect(written).toEqual([...ids.slice(1), 0])
})
