import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type BuiltProgram, buildProgram, haft } from '../../support/built-program.ts'
import { keepCalling } from '../../support/call-lines.ts'
import { toolFile } from '../../support/python-tools.ts'
import { eventual } from '../../support/tool-folder.ts'

const spec = (name: string, value: string) => `export default {
  name: '${name}', description: 'Says ${value}',
  parameters: { type: 'object', properties: { count: { type: 'integer', minimum: 2, description: 'How often' }, word: { enum: ['a', 'b'], description: 'Which' } }, required: ['count', 'word'] },
  handler: ({ count }) => '${value} '.repeat(count).trim(),
}`

function withTools(files: Readonly<Record<string, string>>): BuiltProgram & { readonly folder: string } {
  const program = buildProgram()
  const folder = join(program.home, 'tools')
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return { ...program, folder }
}

test('S0.2 haft tools shows name, source, effect and description, and skipped files with line and reason', async () => {
  const program = withTools({ 'echo.js': spec('echo_it', 'echo'), 'broken.ts': 'const a = 1\nconst = 2' })
  const { stdout, code } = await haft(program, ['tools', '--refresh'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^echo_it +run +echo\.js +Says echo$/m)
  expect(stdout).toMatch(/^skipped {2}.*\/home\/tools\/broken\.ts:2: it has a syntax error: /m)
  const listed = JSON.parse((await haft(program, ['tools', '--json'])).stdout)
  expect(listed.tools.at(-1)).toMatchObject({
    ...{
      name: 'echo_it',
      wireName: 'echo_it',
      effect: 'run',
      origin: 'user',
      source: join(program.folder, 'echo.js'),
      line: 2,
    },
  })
  expect(listed.skipped).toEqual([
    { source: join(program.folder, 'broken.ts'), line: 2, reason: expect.stringContaining('syntax error') },
  ])
})

test('haft tools NAME shows file and line, where it runs, parameters, and a call that works', async () => {
  const program = withTools({ 'echo.js': spec('echo_it', 'echo') })
  const { stdout } = await haft(program, ['tools', 'echo_it'])
  expect(stdout).toContain(`from  ${program.folder}/echo.js:2\n`)
  expect(stdout).toContain('runs  as you: it can use your files and your network\n')
  expect(stdout).toContain('"minimum": 2')
  const [, example = ''] = /^try {3}(haft call .*)$/m.exec(stdout) ?? []
  expect(example).toBe(`haft call echo_it '{"count":2,"word":"a"}'`)
  const [, args = ''] = /'(.*)'/.exec(example) ?? []
  expect((await haft(program, ['call', 'echo_it', args])).stdout).toBe('echo echo\n')
  expect((await haft(program, ['tools', 'read_file'])).stdout).toContain('from  built in\n')
})

test("haft tools NAME says that a project's tool runs in the sandbox", async () => {
  const program = buildProgram()
  const folder = join(program.workspace, '.haft/tools')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'echo.js'), spec('echo_it', 'echo'))
  writeFileSync(join(folder, 'look.py'), toolFile('def look(): return 1', { look: { effect: 'read' } }))
  expect((await haft(program, ['tools'])).stdout).toMatch(/^skipped .*not trusted.*haft trust$/m)
  await haft(program, ['trust', '--yes'])
  const places = {
    echo_it: [
      `${folder}/echo.js:2`,
      'runs  in the sandbox: it can read and change this project, its changes are checked',
    ],
    look: [`${folder}/look.py:2`, 'runs  in the sandbox: it can read this project, and reaches no network'],
  }
  for (const [name, texts] of Object.entries(places)) {
    const { stdout } = await haft(program, ['tools', name])
    for (const text of texts) expect(stdout).toContain(text)
  }
})

test('haft tools new writes a starter that works at once, and never replaces a file or takes a name', async () => {
  const program = buildProgram()
  const made = await haft(program, ['tools', 'new', 'say_hello', '--ts'])
  expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining(`haft call say_hello '{"name":"text"}'`) })
  expect((await haft(program, ['call', 'say_hello', '{"name":"Ada"}'])).stdout).toBe('Hello, Ada!\n')
  const path = join(program.home, 'tools/say_hello.ts')
  writeFileSync(path, 'mine')
  const again = await haft(program, ['tools', 'new', 'say_hello', '--ts'])
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already exists and was not changed') })
  expect(readFileSync(path, 'utf8')).toBe('mine')
  const taken = await haft(program, ['tools', 'new', 'read_file'])
  expect(taken).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is a tool read_file already, built in'),
  })
  for (const name of ['../evil', 'a b', '', 'x'.repeat(65)])
    expect(await haft(program, ['tools', 'new', name])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot be the name'),
    })
  expect(await haft(program, ['tools', 'echo', 'extra'])).toMatchObject({ code: 2 })
})

test('the Python starter is a module whose handler does what its spec says', async () => {
  const program = buildProgram()
  const { path } = JSON.parse((await haft(program, ['tools', 'new', 'say-hello', '--json'])).stdout)
  const check = `import runpy, sys
[spec] = runpy.run_path(sys.argv[1])["TOOL_SPECS"]
assert sorted(spec) == ["description", "effect", "handler", "name", "parameters"], sorted(spec)
print(spec["name"], spec["handler"](name="Ada"), spec["handler"](name="Ada", greeting="Hi"))`
  const printed = execFileSync('python3', ['-c', check, path], { encoding: 'utf8' })
  expect(printed).toBe('say-hello Hello, Ada! Hi, Ada!\n')
  expect((await haft(program, ['call', 'say-hello', '{"name":"Ada"}'])).stdout).toBe('Hello, Ada!\n')
})

test('S0.4 a tool that is dropped into a running Haft appears, changes, survives a mistake, and goes', async () => {
  const program = withTools({})
  const call = keepCalling(program)
  const path = join(program.folder, 'echo.js')
  const text = async () => {
    const { ok, text: said, code } = await call('echo_it', { count: 2, word: 'a' })
    return ok ? said : code
  }
  expect(await text()).toBe('UNKNOWN_TOOL')
  writeFileSync(path, spec('echo_it', 'one'))
  await eventual(text).toBe('one one')
  writeFileSync(path, spec('echo_it', 'two'))
  await eventual(text).toBe('two two')
  writeFileSync(path, `${spec('echo_it', 'three')}\nconst = 1`)
  writeFileSync(join(program.folder, 'other.js'), spec('other', 'other'))
  await eventual(async () => (await call('other', { count: 2, word: 'b' })).text).toBe('other other')
  expect(await text()).toBe('two two')
  expect((await haft(program, ['tools'])).stdout).toMatch(/^skipped .*echo\.js:\d+: it has a syntax error/m)
  rmSync(path)
  await eventual(text).toBe('UNKNOWN_TOOL')
})

test('commands that look at no tools start no process for them, whatever the settings say of those tools', async () => {
  const program = withTools({
    'mark.js': `import { appendFileSync } from 'node:fs'\nappendFileSync(process.cwd() + '/loaded', 'js')\n${spec('echo_it', 'echo')}`,
    'mark.py': `open('loaded', 'a').write('py')\n`,
  })
  writeFileSync(join(program.home, 'settings.toml'), '[[rules]]\nname = "r"\ntools = ["echo_it"]\ndecision = "deny"\n')
  const mark = join(program.workspace, 'loaded')
  for (const args of [['log'], ['tasks'], ['approvals'], ['approvals', 'grants'], ['trust'], ['models', '--json']])
    expect([args, await haft(program, args), existsSync(mark)]).toEqual([
      args,
      expect.objectContaining({ code: 0 }),
      false,
    ])
  expect(await haft(program, ['tools'])).toMatchObject({ code: 0 })
  expect(readFileSync(mark, 'utf8').match(/js|py/g)?.toSorted()).toEqual(['js', 'py'])
})

test('S0.6 a tool that hangs ends with the Haft that runs it', async () => {
  const program = withTools({
    'spin.js': `import { writeFileSync } from 'node:fs'
export default { name: 'spin', description: 'It', parameters: { type: 'object' },
  handler: (_, { workspace }) => { writeFileSync(workspace + '/pid', String(process.pid)); for (;;); } }`,
  })
  const path = join(program.workspace, 'pid')
  const { code } = await haft(program, ['call', 'spin'], {
    nodeOptions: [
      '--import',
      `data:text/javascript,${encodeURIComponent(`
import { existsSync } from 'node:fs'
setInterval(() => { if (existsSync(${JSON.stringify(path)})) process.exit(9) }, 10).unref()`)}`,
    ],
  })
  expect(code).toBe(9)
  const pid = readFileSync(path, 'utf8')
  await eventual(() => existsSync(`/proc/${pid}/cwd`)).toBe(false)
})

test('what a handler prints is shown by haft call on stderr, also when the call is short or fails, and is kept in the log; --json stays JSON', async () => {
  const program = withTools({
    'a.py': toolFile(
      'def fine():\n    print("printed")\n    return "fine"\ndef bad():\n    print("on the way")\n    raise ValueError("no")',
      {
        fine: {},
        bad: {},
      },
    ),
    'b.js': `export default { name: 'js', description: 'It', parameters: { type: 'object' }, handler() { console.log('from js'); return 'ok' } }`,
  })
  expect(await haft(program, ['call', 'fine', '{}'])).toMatchObject({ stdout: 'fine\n', stderr: 'printed\n' })
  expect(await haft(program, ['call', 'js', '{}'])).toMatchObject({ stdout: 'ok\n', stderr: 'from js\n' })
  const { stderr, stdout } = await haft(program, ['call', 'bad', '{}'])
  expect(stderr).toBe('on the way\nEXECUTION_ERROR ValueError: no\n  a.py:7 in bad: raise ValueError("no")\n')
  expect(stdout).toBe('')
  expect(JSON.parse((await haft(program, ['call', 'fine', '{}', '--json'])).stdout)).toMatchObject({ text: 'fine' })
  const [call = ''] = /c_\w+/.exec((await haft(program, ['log', '--tool', 'bad'])).stdout) ?? []
  const history = (await haft(program, ['log', call])).stdout
  expect(history).toContain('on the way')
  expect(history).toContain('a.py:7 in bad: raise ValueError("no")')
})
