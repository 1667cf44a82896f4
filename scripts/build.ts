// Type-checks everything, then builds dist/: what `npm ci` leaves behind.
import { execFileSync } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const tsc = join(root, 'node_modules/.bin/tsc')
const run = (file: string, ...args: string[]) => execFileSync(file, args, { cwd: root, stdio: 'inherit' })

run(tsc, '--noEmit')
rmSync(join(root, 'dist'), { recursive: true, force: true })
run(tsc, '-p', 'tsconfig.build.json')
chmodSync(join(root, 'dist/main.js'), 0o755)
run(process.execPath, join(root, 'scripts/write-help.ts'))
