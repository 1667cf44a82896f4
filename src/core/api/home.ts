import {
  anything,
  array,
  boolean,
  integer,
  nullable,
  number,
  objectSchema,
  optional,
  record,
  string,
} from '../tool/schema.ts'
import { mode, names, time, workspace } from './answers.ts'
import type { Route } from './route.ts'

const finding = objectSchema({
  what: string('What was tried'),
  holds: boolean('True if it works'),
  seen: string('What was seen'),
  remedy: optional(string('What to do where it does not work, as a command or a sentence')),
})

const trust = objectSchema({
  workspace: string('The folder'),
  path: string('Its settings file'),
  content: nullable(string('What would be trusted: the settings file as text')),
  tools: names('Files of its tools folder'),
  isTrusted: boolean('True if its present content is trusted, or it has none'),
  ignored: array(string('A setting'), 'Settings that do not count'),
  digest: nullable(string('Digest of the content, to be sent back when trusting it')),
  difference: string('What differs from what was trusted before, as a unified diff; everything where nothing was'),
})

export const homeRoutes = {
  health: {
    method: 'GET',
    path: '/api/health',
    about:
      'Says that the server works, its version, the workspace it was started for, and what the log complains about.',
    answers: {
      200: objectSchema({
        version: string('Version of Haft'),
        workspace: string('Workspace that is used where a request names none'),
        person: string('Home folder of the person, for which pages write ~'),
        logProblem: nullable(string('Why the log cannot be written')),
      }),
    },
  },
  signIn: {
    method: 'POST',
    path: '/api/sign-in',
    about: 'Exchanges the one-time code of a link for the token.',
    isOpen: true,
    body: { code: string('The code', { minLength: 1, maxLength: 200 }) },
    bodyLimit: 1_000,
    answers: { 200: objectSchema({ token: string('The token, for Authorization: Bearer') }) },
  },
  makeLink: {
    method: 'POST',
    path: '/api/link',
    about: 'Makes a link with a new one-time code.',
    answers: { 200: objectSchema({ link: string('The link'), expiresAt: time('When the code ends') }) },
  },
  listWorkspaces: {
    method: 'GET',
    path: '/api/workspaces',
    about: 'Lists the folders that sessions have worked in, the last used first.',
    answers: {
      200: objectSchema({
        workspaces: array(
          objectSchema({
            workspace: string('The folder'),
            lastAt: nullable(time('When it was last used')),
            sessions: integer('How many sessions it has, of those that were searched'),
            exists: boolean('True if the folder is there'),
          }),
          'The folders',
        ),
      }),
    },
  },
  listFolders: {
    method: 'GET',
    path: '/api/folders',
    about: 'Lists the folders inside a folder, by name only, to choose a workspace.',
    query: { path: optional(string('The folder, absolute; the home folder when left out', { maxLength: 4_096 })) },
    answers: {
      200: objectSchema({
        path: string('The folder'),
        parent: nullable(string('The folder above')),
        folders: names('Names of the folders inside'),
        isCut: boolean('True if there are more'),
        problem: nullable(string('Why it should not be a workspace')),
      }),
    },
  },
  findFiles: {
    method: 'GET',
    path: '/api/files',
    about: 'Finds files of a workspace by letters of their path, to name one in a message.',
    query: { workspace, q: optional(string('Letters of the path, in order', { maxLength: 300 })) },
    answers: { 200: objectSchema({ files: names('Paths, relative to the workspace, the best match first') }) },
  },
  getSettings: {
    method: 'GET',
    path: '/api/settings',
    about: 'Gives the settings that count, without secrets.',
    answers: {
      200: objectSchema({
        mode: mode('Mode of sessions that name none'),
        model: nullable(string('The model that was chosen')),
        durable: string('What a commit survives'),
        approvals: objectSchema({ expireMinutes: number('Minutes after which an approval request is denied') }),
        log: objectSchema({ keepDays: number('Days'), maxMb: number('Megabytes'), maxContentMb: number('Megabytes') }),
        server: objectSchema({
          port: integer('Port'),
          publicUrl: optional(string('The address of the reverse proxy')),
        }),
        models: record(anything('Its settings, headers by name only'), 'Models of the settings'),
        toolsDirs: names('Folders with tools'),
        rules: names('Names of the rules'),
        files: names('Settings files that were read'),
      }),
    },
  },
  getTrust: {
    method: 'GET',
    path: '/api/trust',
    about: "Shows a project's own settings and whether they are trusted.",
    query: { workspace },
    answers: { 200: trust },
  },
  trustProject: {
    method: 'POST',
    path: '/api/trust',
    about: 'Trusts the content that was shown. 409 if it has changed since.',
    query: { workspace },
    body: { digest: string('Digest of the content that was shown', { minLength: 1, maxLength: 200 }) },
    answers: { 200: trust },
  },
  doctor: {
    method: 'GET',
    path: '/api/doctor',
    about: 'Tries each part of Haft and says what works on this machine.',
    query: { workspace },
    answers: { 200: objectSchema({ findings: array(finding, 'What was found') }) },
  },
  openApi: {
    method: 'GET',
    path: '/api/openapi.json',
    about: 'Describes this interface as an OpenAPI 3.1 document.',
    answers: { 200: record(anything('A member'), 'The document') },
  },
} as const satisfies Record<string, Route>
