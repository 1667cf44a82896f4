import { array, boolean, integer, objectSchema, optional, string } from '../tool/schema.ts'
import { done } from './answers.ts'
import type { Route } from './route.ts'

const folderPath = string('The folder, as an absolute path', { minLength: 1, maxLength: 4_096 })

const folder = objectSchema({
  path: string('The folder'),
  from: string('The settings file that names it, or `default`'),
  isManaged: boolean('True if it was added by a page and can be removed by one'),
  exists: boolean('True if the folder is there'),
})

const setting = objectSchema({
  key: string('Its key in a settings file'),
  value: string('Its value as text; secrets are left out'),
  from: string('The settings file that sets it, or `default`'),
  line: optional(integer('Line of the file')),
})

export const settingRoutes = {
  listSettings: {
    method: 'GET',
    path: '/api/settings/origins',
    about: 'Lists each setting that counts, and the file and line that it comes from.',
    answers: { 200: objectSchema({ settings: array(setting, 'The settings') }) },
  },
  listToolFolders: {
    method: 'GET',
    path: '/api/tool-folders',
    about: "Lists the folders with tools of the person's own.",
    answers: { 200: objectSchema({ folders: array(folder, 'The folders') }) },
  },
  addToolFolder: {
    method: 'POST',
    path: '/api/tool-folders',
    about:
      'Adds a folder with Python or TypeScript tools, which run with all rights of the person. settings.toml is not changed.',
    body: { path: folderPath },
    answers: { 201: objectSchema({ path: string('The folder, with links resolved') }) },
  },
  removeToolFolder: {
    method: 'DELETE',
    path: '/api/tool-folders',
    about: 'Removes a folder with tools that was added by a page. Its files stay.',
    query: { path: folderPath },
    answers: { 200: done },
  },
} as const satisfies Record<string, Route>
