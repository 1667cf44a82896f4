import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/example-host.ts'
import { type ControlGroup, createGroupMaker } from '../limits/control-group.ts'
import { becomeOwner, findOwner } from '../owner.ts'
import { createPipes } from './pipes.ts'
import { makeProfile } from './profile.ts'
import { createStages } from './stage.ts'

test('a sandbox started ahead whose group is taken away before it has joined hurts nobody, unless it is used', async () => {
  const workspace = temporaryFolder()
  const owner = findOwner(workspace)
  const options = {
    workspace,
    home: join(temporaryFolder(), 'home'),
    env: process.env,
    off: false,
    replaced: () => undefined,
  }
  const groups = createGroupMaker()
  const pipes = createPipes()
  const profile = makeProfile({ ...options, owner }, process.arch === 'arm64' ? 'arm64' : 'x64')
  const asked = Promise.withResolvers<void>()
  const make = (): ControlGroup => {
    const group = groups.make()
    // Taken away at the very moment it would take somebody in.
    const take = async () => {
      group.remove()
      asked.resolve()
      throw new Error('the group is gone')
    }
    return { ...group, take }
  }
  const stages = createStages({
    ...options,
    profile,
    pipes,
    groups: { holds: groups.holds, make },
    command: [...becomeOwner(owner), 'bwrap'],
  })
  const waiting = stages.openAhead()
  if (waiting === undefined) throw new Error(`no overlay here: ${stages.whyDirect()}`)
  onTestFinished(async () => {
    waiting.box.kill()
    await waiting.box.release()
    waiting.close()
    pipes.close()
    profile.close()
  })
  await asked.promise
  await new Promise((resolve) => setImmediate(resolve))
  await expect(waiting.begin()).rejects.toThrow('the group is gone')
})
