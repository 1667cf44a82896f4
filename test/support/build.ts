import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** Vitest's global set-up: the command line is tested as it is shipped, so it is built first, unless `npm test` just did. */
export default function build(): void {
  if (process.env.HAFT_BUILT === '1') return
  execFileSync(process.execPath, [join(import.meta.dirname, '../../scripts/build.ts')], { stdio: 'inherit' })
}
