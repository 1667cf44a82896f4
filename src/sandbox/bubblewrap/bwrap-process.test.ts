import { expect, onTestFinished, test } from 'vitest'
import { programs } from '../../app/programs/programs.ts'
import { isGone } from '../limits/process-tree.ts'
import { startBwrap } from './bwrap-process.ts'
import { createPipes } from './pipes.ts'

/** Does what bubblewrap does before its first process inside is set to die with it: the command runs in a session of its own. */
const NOT_YET_BOUND = 'setsid yes & echo "{\\"child-pid\\": $!}" >&3; exec 3>&-; wait'

test('a flood of output ends when it is killed before its first process would die with its parent', async () => {
  const pipes = createPipes(programs)
  onTestFinished(() => pipes.close())
  const bwrap = startBwrap({ argv: ['/bin/sh', '-c', NOT_YET_BOUND], descriptors: [], pipes })
  const first = await bwrap.ready
  onTestFinished(() => {
    if (first !== undefined && !isGone(first)) process.kill(first, 'SIGKILL')
  })
  const flooded = Promise.withResolvers<void>()
  bwrap.stdout.on('data', () => flooded.resolve())
  bwrap.stderr.resume()
  await flooded.promise
  bwrap.kill()
  await bwrap.ended
  expect(first).toBeGreaterThan(0)
  await bwrap.release()
})
