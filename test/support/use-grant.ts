// A process that uses a grant as often as it can, and says on stdout how often it could.
import { openGrants } from '../../src/settings/grants/grants-file.ts'

const [home = '', id = '', tries = '0'] = process.argv.slice(2)
const grants = openGrants(home)
let used = 0
for (let at = 0; at < Number(tries); at++) if (await grants.use(id)) used++
grants.flush()
process.stdout.write(`${used}\n`)
