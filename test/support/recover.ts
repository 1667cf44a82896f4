// What createHost does before any call, for tests that need another user.
import { recoverRuns } from '../../src/sandbox/overlay/recover.ts'
import { listRunsFolders } from '../../src/sandbox/overlay/run-folder.ts'

const [home = '', workspace = ''] = process.argv.slice(2)
for (const runs of listRunsFolders(home, workspace)) recoverRuns(runs)
