import { type Project, readProject } from './project.ts'
import type { Trust } from './trust.ts'

/** A project as it is on disk, and what of it differs from what was trusted. */
export interface SeenProject {
  readonly project: Project
  readonly difference: string
}

/** Reads a project anew for a person who decides whether to trust it. */
export async function lookAtProject(workspace: string, trust: Trust): Promise<SeenProject> {
  const project = await readProject(workspace, trust)
  const difference = project.isTrusted ? '' : await diffProject(trust.find(workspace), project.content)
  return { project, difference }
}

/** The settings file of a project, relative to it. */
const SETTINGS = '.haft/settings.toml'

/** Shows what of a project's own settings and tools differs from what was trusted before, as a unified diff; everything where nothing was trusted. */
async function diffProject(before: string | undefined, now: string | undefined): Promise<string> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff')
  const [old, present] = [filesOf(before), filesOf(now)]
  const paths = [...new Set([...old.keys(), ...present.keys()])].filter((path) => old.get(path) !== present.get(path))
  return paths
    .map((path) => {
      const [from, to] = [old.get(path), present.get(path)]
      const heads = [from === undefined ? '/dev/null' : path, to === undefined ? '/dev/null' : path] as const
      return createTwoFilesPatch(...heads, from ?? '', to ?? '', undefined, undefined, {
        headerOptions: FILE_HEADERS_ONLY,
      })
    })
    .join('')
}

/** Splits the text that is trusted into its files; tools are kept byte by byte. */
function filesOf(content: string | undefined): ReadonlyMap<string, string> {
  if (content === undefined) return new Map()
  const [settings = '', ...rest] = content.split('\0')
  const files = new Map(settings === '' ? [] : [[SETTINGS, settings]])
  for (let at = 0; at + 1 < rest.length; at += 2)
    files.set(rest[at] ?? '', Buffer.from(rest[at + 1] ?? '', 'latin1').toString())
  return files
}
