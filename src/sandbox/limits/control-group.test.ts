import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { createGroupMaker } from './control-group.ts'

test('a group stays while its process is in it, whatever other hosts of the same process remove', async () => {
  const [first, second] = [createGroupMaker().make(), createGroupMaker().make()]
  const child = spawn('sleep', ['600'])
  onTestFinished(() => void child.kill('SIGKILL'))
  await first.remove()
  await expect(second.take(child.pid ?? 0)).resolves.toBeUndefined()
  child.kill('SIGKILL')
  await once(child, 'exit')
  await expect(second.remove()).resolves.toBeUndefined()
})
