import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventual, folderHost } from '../../support/tool-folder.ts'

/** A tool with a check before the approval, work after it, and a cleanup that notes how the call ended. */
const STEPS = `
import { appendFileSync } from 'node:fs'
import { defineTool, fail, next, objectSchema, optional, output, pipeline, string } from 'haft'
export default defineTool({
  name: 'release', description: 'Release something', effect: 'run',
  input: objectSchema({ version: string('Which'), end: optional(string('How the second step ends')) }),
  steps: ({ version, end }) => pipeline()
    .step((_, { workspace, call }) => {
      if (version === 'bad') return fail('CONFLICT', 'There is no such version.')
      appendFileSync(workspace + '/checked', version + '\\n')
      return next(new Map([['version', version]]), { preview: { kind: 'text', text: 'release ' + version } })
    })
    .approval()
    .step(async function* (found) {
      yield 'building '
      if (end === 'throw') throw new Error('the disk is full')
      if (end === 'exit') process.exit(7)
      if (end === 'hang') await new Promise(() => setTimeout(() => {}, 1_000_000))
      return output({ released: found.get('version'), at: new Date(0) })
    })
    .step((value) => next(value))
    .finally((result, { workspace }) => appendFileSync(workspace + '/ended', (result.ok ? 'ok' : result.code) + '\\n')),
})`

async function stepsHost(replies: readonly boolean[] = []) {
  const previews: unknown[] = []
  const waiting = [...replies]
  const opened = await folderHost(
    { 'release.ts': STEPS },
    {
      approver: {
        async ask(request) {
          previews.push(request.preview)
          return { approved: waiting.shift() ?? true }
        },
      },
    },
  )
  const read = (name: string) => {
    const path = join(opened.host.workspace, name)
    return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
  }
  return { ...opened, previews, read }
}

test('S1.9 steps of a TypeScript file run around the approval, hand on any value, stream, and clean up once', async () => {
  const { host, previews, read } = await stepsHost()
  const deltas: string[] = []
  host.on((event) => event.type === 'call-delta' && deltas.push(event.text))
  expect(await host.call('release', { version: '1.0' })).toMatchObject({
    ok: true,
    data: { released: '1.0', at: '1970-01-01T00:00:00.000Z' },
  })
  expect(previews).toEqual([{ kind: 'text', text: 'release 1.0' }])
  expect(deltas.join('')).toBe('building ')
  expect(read('checked')).toEqual(['1.0'])
  await eventual(() => read('ended')).toEqual(['ok'])
})

test('S1.9 a step that fails before the approval asks nobody; a deny, an error, a crash and a time limit each end in the cleanup', async () => {
  const { host, previews, read } = await stepsHost([false])
  expect(await host.call('release', { version: 'bad' })).toMatchObject({
    code: 'CONFLICT',
    text: 'There is no such version.',
  })
  expect(previews).toEqual([])
  expect(await host.call('release', { version: '1' })).toMatchObject({ code: 'DENIED' })
  expect(await host.call('release', { version: '2', end: 'throw' })).toMatchObject({
    code: 'EXECUTION_ERROR',
    text: expect.stringContaining('the disk is full'),
  })
  expect(await host.call('release', { version: '3', end: 'exit' })).toMatchObject({
    code: 'EXECUTION_ERROR',
    text: expect.stringContaining('exit code 7'),
  })
  expect(await host.call('release', { version: '4', end: 'hang' }, { timeout: 1 })).toMatchObject({ code: 'TIMEOUT' })
  await eventual(() => read('ended')).toEqual(['CONFLICT', 'DENIED', 'EXECUTION_ERROR', 'EXECUTION_ERROR', 'TIMEOUT'])
})

test('the steps before the approval are run again where their process has ended since', async () => {
  const { host, read } = await stepsHost()
  const ended: Promise<unknown>[] = []
  const result = await host.call(
    'release',
    { version: '1.0' },
    {
      approver: {
        async ask() {
          ended.push(
            host.call(
              'release',
              { version: '2.0', end: 'exit' },
              { approver: { ask: async () => ({ approved: true }) } },
            ),
          )
          await Promise.all(ended)
          return { approved: true }
        },
      },
    },
  )
  expect(result).toMatchObject({ ok: true, data: { released: '1.0' } })
  expect(read('checked')).toEqual(['1.0', '2.0', '1.0'])
})

test('a step of a TypeScript file can ask the app, and the next step gets its answer', async () => {
  const { host } = await folderHost({
    'show.ts': `import { delegate, next, output, pipeline } from 'haft'
export default { name: 'show', description: 'It', effect: 'none', parameters: { type: 'object' },
  steps: () => pipeline().step(() => next('kept')).step(() => delegate({ kind: 'notify', text: 'hello' })).step((answer) => output(answer)) }`,
  })
  host.onDelegate((effect) => ({ done: true, text: `seen ${effect.kind}` }))
  expect(await host.call('show')).toMatchObject({ ok: true, data: { done: true, text: 'seen notify' } })
})

test('steps that are no pipeline, or stand beside execute, are refused with the reason', async () => {
  const { host, skipped } = await folderHost({
    'a.js': `export default { name: 'odd', description: 'It', effect: 'none', parameters: { type: 'object' }, steps: () => 7 }`,
    'b.js': `export default { name: 'both', description: 'It', effect: 'none', parameters: { type: 'object' }, steps: () => 7, execute: () => 1 }`,
  })
  expect(skipped()).toEqual([expect.stringMatching(/^b\.js:1: tool "both" has steps and also execute/)])
  expect(await host.call('odd')).toMatchObject({ ok: false, text: expect.stringContaining('not a pipeline') })
})
