import { globSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Topic } from './topic-shape.ts'

const BENCH = join(import.meta.dirname, '..')

/** A topic and where it was found; its name is its folder's. */
export interface FoundTopic extends Topic {
  readonly name: string
  readonly folder: string
}

/** Every topic there is, or those that are named; throws where a name fits none. */
export async function findTopics(wanted: readonly string[]): Promise<FoundTopic[]> {
  const folders = globSync('*/topic.ts', { cwd: BENCH })
    .map((file) => join(BENCH, dirname(file)))
    .sort()
  const names = folders.map((folder) => basename(folder))
  const strange = wanted.find((name) => !names.includes(name))
  if (strange !== undefined) throw new Error(`there is no topic "${strange}"; expected one of ${names.join(', ')}`)
  const chosen = folders.filter((folder) => wanted.length === 0 || wanted.includes(basename(folder)))
  return Promise.all(chosen.map(loadTopic))
}

async function loadTopic(folder: string): Promise<FoundTopic> {
  const { default: topic } = (await import(pathToFileURL(join(folder, 'topic.ts')).href)) as { default: Topic }
  return { ...topic, name: basename(folder), folder }
}
