import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from './support/example-host.ts'
import { eventually, findProcesses } from './support/processes.ts'

const root = join(import.meta.dirname, '..')
const script = join(root, '.ci/run')

/** A PATH whose `npm` is this script, and a folder for temporary files. */
function standIn(npm: string): { temporary: string; env: Record<string, string> } {
  const [programs, temporary] = [temporaryFolder(), temporaryFolder()]
  writeFileSync(join(programs, 'npm'), `#!/bin/sh\n${npm}\n`, { mode: 0o755 })
  return { temporary, env: { PATH: `${programs}:/usr/bin:/bin`, TMPDIR: temporary } }
}

const run = (env: Record<string, string>) => spawnSync(script, { encoding: 'utf8', env })

test('.ci/run runs the test command of the README, and ends as it ends', () => {
  const [, command] = /^(npm ci && npm test)\b/m.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
  expect(readFileSync(script, 'utf8')).toContain(`'${command}'`)
  const { env } = standIn('echo "npm $*"; [ "$1" = ci ] || exit 7')
  expect(run(env)).toMatchObject({ status: 7, stdout: 'npm ci\nnpm test\n' })
})

test('.ci/run gives an empty home, a private folder for temporary files and nothing else but what npm needs', () => {
  const home = temporaryFolder()
  writeFileSync(join(home, '.npmrc'), `//127.0.0.1/:_authToken=\${REGISTRY_TOKEN}\n`)
  const { env, temporary } = standIn('stat -c %a "$HOME" "$TMPDIR"; find "$HOME" "$TMPDIR" -mindepth 1; env')
  const { stdout } = run({
    ...env,
    HOME: home,
    LANG: 'de_DE.UTF-8',
    GIT_AUTHOR_NAME: 'somebody',
    PYENV_ROOT: '/nonexistent',
    HAFT_HOME: '/nonexistent',
    https_proxy: 'http://127.0.0.1:1',
    npm_config_registry: 'http://127.0.0.1:2',
    NODE_EXTRA_CA_CERTS: '/nonexistent',
    REGISTRY_TOKEN: 'token',
  })
  // The stand-in runs twice: once as `npm ci`, once as `npm test`.
  const lines = stdout.trim().split('\n')
  expect(lines.filter((line) => !/^\w+=/.test(line))).toEqual(['700', '700', '700', '700'])
  const names = lines.flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? [])
  expect(new Set(names)).toEqual(
    new Set([
      ...['PATH', 'HOME', 'TMPDIR', 'CI', 'https_proxy', 'npm_config_registry', 'NODE_EXTRA_CA_CERTS'],
      ...['NPM_CONFIG_USERCONFIG', 'REGISTRY_TOKEN'],
      // The shell that runs the command sets these itself.
      ...['PWD', 'SHLVL', 'OLDPWD', '_'].filter((name) => names.includes(name)),
    ]),
  )
  expect(stdout).toContain(`\nNPM_CONFIG_USERCONFIG=${home}/.npmrc\n`)
  expect(readdirSync(temporary)).toEqual([])
})

test.for(['package.json', 'tsconfig.json', '.git', 'node_modules'])(
  '.ci/run refuses a folder for temporary files that has %s above it, and runs nothing',
  (name) => {
    const { env, temporary } = standIn('echo ran')
    const inner = join(temporary, 'inner')
    mkdirSync(inner)
    writeFileSync(join(temporary, name), '')
    const ended = run({ ...env, TMPDIR: inner })
    expect(ended).toMatchObject({ status: 1, stdout: '' })
    expect(ended.stderr).toContain(`${temporary}/${name} lies above the folder for temporary files`)
    expect(readdirSync(inner)).toEqual([])
  },
)

test('.ci/run takes its folders and its processes away when it is ended', async () => {
  const mark = `7${Math.floor(Math.random() * 1e9)}`
  const { env, temporary } = standIn(`sleep ${mark}`)
  const child = spawn(script, { env, stdio: 'ignore' })
  const ended = new Promise((resolve) => child.on('exit', resolve))
  await eventually(() => findProcesses(`sleep ${mark}`).length > 0)
  child.kill('SIGTERM')
  expect(await ended).toBe(143)
  expect(readdirSync(temporary)).toEqual([])
  await eventually(() => findProcesses(`sleep ${mark}`).length === 0)
})

/** Runs scripts/system-parts.sh with a PATH that has nothing but these programs and what the script itself uses; `apt-get` and `id` are stand-ins. */
function systemParts(what: 'start' | 'test', { user, programs = [] }: { user: number; programs?: readonly string[] }) {
  const folder = temporaryFolder()
  const record = join(folder, 'apt-get.log')
  writeFileSync(record, '')
  const add = (name: string, text: string) => writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  for (const name of programs) add(name, 'true')
  add('id', `echo ${user}`)
  add('apt-get', `echo "$@" >> ${record}`)
  symlinkSync('/usr/bin/uname', join(folder, 'uname'))
  const ended = spawnSync('/bin/bash', [join(root, 'scripts/system-parts.sh'), what], {
    encoding: 'utf8',
    env: { PATH: folder },
  })
  return { ...ended, apt: readFileSync(record, 'utf8') }
}

const isLinux = process.platform === 'linux'

test.runIf(isLinux)(
  'npm start installs as root what Haft uses, three packages at most, and nothing of the tests',
  () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    for (const name of ['start', 'tour']) expect(scripts[name]).toMatch(/^bash scripts\/system-parts\.sh start; /)
    const install = 'update -qq\ninstall -y -qq --no-install-recommends'
    const bare = systemParts('start', { user: 0 })
    expect(bare.apt).toBe(`${install} git python3 bubblewrap\n`)
    expect(bare.stdout).toBe('Installing what Haft uses: git python3 bubblewrap\n')
    const { apt } = systemParts('start', { user: 0, programs: ['git', 'python3'] })
    expect(apt).toBe(`${install} bubblewrap\n`)
    expect(systemParts('start', { user: 0, programs: ['git', 'python3', 'bwrap'] })).toMatchObject({
      ...{ status: 0, stdout: '', stderr: '', apt: '' },
    })
  },
)

test.runIf(isLinux)('npm test installs what only the tests use too, and says so', () => {
  const { apt, stdout } = systemParts('test', { user: 0, programs: ['git', 'python3', 'bwrap'] })
  expect(apt).toMatch(/^install .* tmux curl .*chromium make .*clang-format/m)
  expect(stdout).toMatch(/^Installing what only the tests use: tmux curl /)
})

test.runIf(isLinux)(
  'who may install nothing reads which features are off and how to get them, and Haft starts all the same',
  () => {
    const { apt, stdout, stderr, status } = systemParts('start', { user: 1000 })
    expect({ apt, stdout, status }).toEqual({ apt: '', stdout: '', status: 1 })
    const line = (program: string, off: string) =>
      `${program} is missing: ${off}. Install it with your package manager, on Debian: sudo apt-get install ${program}\n`
    expect(stderr).toBe(
      line('git', 'the git tools do not work') +
        line('python3', 'Python tools and Python code do not run') +
        line('bubblewrap', 'commands cannot run, since there is no sandbox for them'),
    )
    // Without git the sample project is a plain folder.
    const folder = join(temporaryFolder(), 'sample')
    const make = `import { makeSampleProject } from '${root}/scripts/sample-project.ts'; makeSampleProject('${folder}', '/nonexistent')`
    const made = spawnSync(process.execPath, ['--input-type=module', '-e', make], {
      encoding: 'utf8',
      env: { PATH: '' },
    })
    expect(made).toMatchObject({ status: 0, stderr: '' })
    expect(readdirSync(folder).sort()).toEqual(['.gitignore', 'README.md', 'notes.md', 'shop', 'test_cart.py'])
  },
)
