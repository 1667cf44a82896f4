import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { findInterpreter } from './find-interpreter.ts'

const REAL = '/usr/bin/python3'

function writeProgram(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  chmodSync(path, 0o755)
  return path
}

test('a script that starts Python is asked once for the program itself', async () => {
  const folder = temporaryFolder()
  const log = join(folder, 'log')
  const python = writeProgram(join(folder, 'bin/python3'), `#!/bin/sh\necho asked >> ${log}\nexec ${REAL} "$@"\n`)
  const place = { python, env: {}, home: folder }
  expect(await findInterpreter(place)).toBe(REAL)
  expect(await findInterpreter(place)).toBe(REAL)
  const { readFileSync } = await import('node:fs')
  expect(readFileSync(log, 'utf8')).toBe('asked\n')
})

test('the folder that the person calls Haft from does not choose the version: a version manager is asked at home', async () => {
  const [home, folder] = [temporaryFolder(), temporaryFolder()]
  const choose = `#!/bin/sh\n[ "$(pwd -P)" = ${home} ] && exec ${REAL} "$@"\nexit 1\n`
  const python = writeProgram(join(folder, 'python3'), choose)
  expect(await findInterpreter({ python, env: {}, home })).toBe(REAL)
})

test('settings may name a program or a virtual environment; a virtual environment keeps its own path', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'bin'))
  symlinkSync(REAL, join(folder, 'bin/python3'))
  const place = { env: {}, home: folder }
  expect(await findInterpreter({ ...place, python: REAL })).toBe(REAL)
  expect(await findInterpreter({ ...place, python: folder })).toBe(join(folder, 'bin/python3'))
  await expect(findInterpreter({ ...place, python: join(folder, 'nowhere') })).rejects.toThrow('neither a program nor')
})

test('a script that starts no Python is refused with what it says', async () => {
  const folder = temporaryFolder()
  const python = writeProgram(join(folder, 'python3'), '#!/bin/sh\necho "no version chosen" >&2\nexit 127\n')
  await expect(findInterpreter({ python, env: {}, home: folder })).rejects.toThrow('no version chosen')
})
