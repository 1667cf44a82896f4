import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Vitest's global set-up: the command line is tested as it is shipped, so it is built first, unless `npm test` just did. */
export default function build(): () => void {
  if (process.env.HAFT_BUILT !== '1')
    execFileSync(process.execPath, [join(import.meta.dirname, '../../scripts/build.ts')], { stdio: 'inherit' })
  return () => rmSync(join(tmpdir(), `haft-test-home-${process.pid}`), { recursive: true, force: true })
}
