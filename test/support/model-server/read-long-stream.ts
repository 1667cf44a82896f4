// A process that reads one reply from a server and prints how much memory it took at most, beyond what it had before. Started with --expose-gc.
import { askModel, openTestModel } from './open-test-model.ts'

const [wire, url = ''] = process.argv.slice(2)
const collect = globalThis.gc
if (!collect) throw new Error('start it with --expose-gc')

const used = () => {
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
const before = used()
let peak = 0
const timer = setInterval(() => {
  peak = Math.max(peak, used() - before)
}, 100)
const model = openTestModel(wire === 'ollama' ? 'ollama' : 'openai', url)
const outcome = await askModel(model).then(
  ({ reply }) => ({ length: reply.text.length }),
  (thrown: unknown) => ({ error: String(thrown) }),
)
clearInterval(timer)
process.stdout.write(`${JSON.stringify({ peak, ...outcome })}\n`)
