// Runs orders in a workspace, a JSON line of them at once, and answers with JSON lines: for tests that need another user.
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { programs } from '../../src/app/programs/programs.ts'
import { ToolError } from '../../src/core/call/result.ts'
import { chooseSandbox } from '../../src/sandbox/choose.ts'
import type { TestOrder } from '../support/sandbox-users.ts'

const [workspace = '', home = ''] = process.argv.slice(2)
const replaced: unknown[] = []
const sandbox = await chooseSandbox({
  workspace,
  off: false,
  env: process.env,
  programs,
  home,
  forwarder: join(import.meta.dirname, 'forwarder.mjs'),
  replaced: (record) => void replaced.push(record),
})
const owner = (approved: boolean) => ({
  call: 'c_1',
  signal: new AbortController().signal,
  ...(approved && { confirm: () => Promise.resolve() }),
})
/** A function cannot be sent as JSON: the network of these orders leads nowhere. */
const refuse = () => Promise.reject(new ToolError('BLOCKED', 'Nothing is open to this command.'))
const runOne = ({ approved = false, ...order }: TestOrder) =>
  sandbox
    .run(order.network ? { ...order, network: { ...order.network, connect: refuse } } : order, owner(approved))
    .catch(({ code, message }: { code: string; message: string }) => ({ failed: code, message }))

for await (const line of createInterface({ input: process.stdin })) {
  const orders: TestOrder[] = JSON.parse(line)
  process.stdout.write(`${JSON.stringify(await Promise.all(orders.map(runOne)))}\n`)
}
await sandbox.close()
