// `npm start`: builds Haft if needed, then serves a small sample project, so that the first steps harm nothing.
// HAFT_WORKSPACE names another folder; options such as `npm start -- --port 5000` go to `haft serve`.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { makeSampleProject } from './sample-project.ts'

const root = join(import.meta.dirname, '..')
const main = join(root, 'dist/main.js')

if (isOutdated()) {
  console.log('Building Haft…')
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.ts')], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
const home = resolve(process.env.HAFT_HOME || join(homedir(), '.haft'))
const workspace = process.env.HAFT_WORKSPACE || makeSampleProject(join(homedir(), 'haft-sample'), home)
process.argv = [process.execPath, main, 'serve', '--open', '--workspace', workspace, ...process.argv.slice(2)]
await import(main)

/** True if there is no build, or a source is newer than it. */
function isOutdated(): boolean {
  if (!existsSync(main) || !existsSync(join(root, 'dist/web/index.html'))) return true
  const built = statSync(main).mtimeMs
  return ['src', 'web'].some((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).some(
      (file) => statSync(join(root, folder, file)).mtimeMs > built,
    ),
  )
}
