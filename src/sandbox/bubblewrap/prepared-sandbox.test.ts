import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/example-host.ts'
import { programs } from '../../app/programs/programs.ts'
import { type ControlGroup, createGroupMaker } from '../limits/control-group.ts'
import { becomeOwner, findOwner } from '../owner.ts'
import { createPipes } from './pipes.ts'
import { createSandboxPreparer } from './prepared-sandbox.ts'
import { makeProfile } from './profile.ts'

test('a standby sandbox whose group is removed before it joined causes no error unless it is used', async () => {
  const workspace = temporaryFolder()
  const owner = findOwner(workspace)
  const options = {
    workspace,
    home: join(temporaryFolder(), 'home'),
    env: process.env,
    programs,
    off: false,
    replaced: () => undefined,
  }
  const groups = createGroupMaker()
  const pipes = createPipes(programs)
  const profile = makeProfile({ ...options, owner }, process.arch === 'arm64' ? 'arm64' : 'x64')
  const asked = Promise.withResolvers<void>()
  const make = (): ControlGroup => {
    const group = groups.make()
    // Removed right before a process would join it.
    const take = async () => {
      group.remove()
      asked.resolve()
      throw new Error('the group is gone')
    }
    return { ...group, take }
  }
  const preparer = createSandboxPreparer({
    ...options,
    profile,
    pipes,
    groups: { holds: groups.holds, make },
    command: () => [...becomeOwner(owner, programs), programs.system('bwrap')],
  })
  const waiting = preparer.openStandby(false)
  if (waiting === undefined) throw new Error(`no overlay here: ${preparer.whyDirect()}`)
  onTestFinished(async () => {
    waiting.bwrap.kill()
    await waiting.bwrap.release()
    waiting.close()
    pipes.close()
    profile.close()
  })
  await asked.promise
  await new Promise((resolve) => setImmediate(resolve))
  await expect(waiting.begin()).rejects.toThrow('the group is gone')
})
