// A process that runs sessions whose model never replies (`hold`), or one that sends a message to each of these sessions and waits for the end
// of its run (`wait`): it prints how many statements it ran in three idle seconds, then the reason of each end.
import { queryCount } from './count-queries.ts'

const { openHome } = await import('../../src/index.ts')

const [folder = '', workspace = '', task = '', given = ''] = process.argv.slice(2)
const home = await openHome({ home: folder })
const host = await home.host(workspace)

const silent = {
  name: 'silent',
  abilities: async () => ({}),
  async *stream({ signal }: { readonly signal: AbortSignal }) {
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
    yield* []
    throw signal.reason
  },
}

if (task === 'hold') {
  const sessions = await Promise.all(Array.from({ length: Number(given) }, () => host.session()))
  for (const session of sessions) session.send('begin', { model: silent }).catch(() => undefined)
  const started = new Set<string>()
  for await (const event of home.log.follow({ after: 0 })) {
    if (event.type === 'run-start') started.add(event.session)
    if (started.size === sessions.length) break
  }
  process.stdout.write(`${sessions.map(({ id }) => id).join()}\n`)
  // Lives until it is killed.
  process.stdin.resume()
} else {
  const before = await home.log.end()
  const ids = new Set(given.split(','))
  const ends = [...ids].map(async (id) => (await home.session(id)).send('more', { model: silent }))
  for await (const event of home.log.follow({ after: before }))
    if (event.type === 'message' && ids.delete(event.session) && ids.size === 0) break
  const counted = queryCount()
  await new Promise((done) => setTimeout(done, 3_000))
  process.stdout.write(`${queryCount() - counted}\n`)
  for (const end of ends) process.stdout.write(`${(await end).reason}\n`)
  process.exit(0)
}
