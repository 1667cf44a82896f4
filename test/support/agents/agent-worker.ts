// A process with a home of its own on the same folder: takes orders on stdin, a JSON line each, and answers with a JSON line.
import { createInterface } from 'node:readline'
import { openHome } from '../../../src/index.ts'
import { call, modelOf, resultsIn } from './scripted-model.ts'

const [folder = '', workspace = ''] = process.argv.slice(2)
const home = await openHome({ home: folder })
const host = await home.host(workspace)
const print = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`)

/** Asks the user once, then says what they answered. */
const asking = modelOf(({ messages }) => {
  const [answer] = resultsIn(messages)
  return answer === undefined ? call('ask_user', { question: 'Which?', options: ['a', 'b'] }) : { text: answer }
})

/** Asks the user twice in one turn, then says what they answered. */
const askingTwice = modelOf(({ messages }) => {
  const answers = resultsIn(messages)
  const ask = (question: string) => ({ name: 'ask_user', arguments: { question } })
  return answers.length === 0 ? { calls: [ask('First?'), ask('Second?')] } : { text: answers.join() }
})

const ORDERS: Readonly<Record<string, (...given: readonly string[]) => Promise<unknown>>> = {
  answer: (id = '', answer = '', by = '') => home.inputs.answer(id, answer, by),
  inputs: () => home.inputs.list(),
  /** Begins a session whose model asks the user, and names it before the run has ended. */
  async ask() {
    const session = await host.session({ wait: true })
    session.send('Go', { model: asking }).then((end) => print({ end }))
    return session.id
  },
  async askTwice() {
    const session = await host.session({ wait: true })
    session.send('Go', { model: askingTwice })
    return session.id
  },
  async send(id = '', text = '') {
    return (await home.session(id)).send(text, { model: modelOf(() => ({ text: 'from the worker' })) })
  },
  async stop(id = '') {
    const session = await home.session(id)
    session.stop('worker')
    return 'asked'
  },
  async change(id = '', mode = '') {
    const session = await home.session(id)
    await session.change({ mode: mode === 'plan' ? 'plan' : 'ask' })
    return 'changed'
  },
}

print('ready')
for await (const line of createInterface({ input: process.stdin })) {
  const [order = '', ...given]: string[] = JSON.parse(line)
  print((await ORDERS[order]?.(...given)) ?? null)
}
await home.close()
