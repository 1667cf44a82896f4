import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { listToolFolders } from './tool-folders.ts'

test("Haft's own folder comes first, then the shared one where it is there, those of the settings, and the project's", () => {
  const home = temporaryFolder()
  const haftHome = join(home, '.haft')
  const list = (toolsDirs: readonly string[], project?: string) =>
    listToolFolders({ haftHome, home, settings: { toolsDirs }, project }).map(
      ({ folder, origin }) => `${origin} ${folder}`,
    )
  expect(list([])).toEqual([`user ${haftHome}/tools`])
  mkdirSync(join(home, '.copilot-web/tools'), { recursive: true })
  expect(list(['~/mine', '/abs', 'near'], '/work/.haft/tools')).toEqual([
    `user ${haftHome}/tools`,
    `user ${home}/.copilot-web/tools`,
    `user ${home}/mine`,
    'user /abs',
    `user ${haftHome}/near`,
    'project /work/.haft/tools',
  ])
})

test("a folder that is named twice, or through a link, counts once; a project's folder is never the user's", () => {
  const home = temporaryFolder()
  const haftHome = join(home, '.haft')
  const [mine, project] = [join(home, 'mine'), join(home, 'project')]
  for (const folder of [mine, project]) mkdirSync(folder)
  symlinkSync(mine, join(home, 'link'))
  const found = listToolFolders({ haftHome, home, settings: { toolsDirs: ['~/mine', '~/link', '~/project'] }, project })
  expect(found.map(({ origin }) => origin)).toEqual(['user', 'user', 'project'])
})
