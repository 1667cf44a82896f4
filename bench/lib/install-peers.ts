import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const OUR_NODE = join(import.meta.dirname, '../../node_modules/.bin')

/** Installs what a folder's lockfile names, unless that very lockfile was installed before. Throws where npm fails. */
export function installPeers(folder: string): void {
  const lockfile = readFileSync(join(folder, 'package-lock.json'), 'utf8')
  const installed = join(folder, 'node_modules/.installed-lockfile')
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lockfile) return
  console.error(`installing the peers of ${folder}`)
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    env: { ...process.env, PATH: `${OUR_NODE}${delimiter}${process.env.PATH}` },
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) throw new Error(`npm ci in ${folder} ended with ${status}; --no-peers measures without them`)
  writeFileSync(installed, lockfile)
}
