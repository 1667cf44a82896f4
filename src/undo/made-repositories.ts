import type { ReadFiles, Replaced } from '../core/ports/files.ts'
import type { UndoConflict, UndoStep } from './plan-undo.ts'

/** Finds the repositories that these changes created, each as the path of its `.git`. */
export function findMadeRepositories(records: readonly Replaced[]): string[] {
  return records.filter((record) => isMade(record) && /(^|\/)\.git$/.test(record.path)).map(({ path }) => path)
}

/** Returns the paths to judge: for parts of a repository, the repository itself, since every restored part of it is checked by itself. */
export function pathsToJudge(records: readonly Replaced[]): string[] {
  const judged = records.flatMap((record) => {
    const repository = /^(.*?\/)?\.git(?=\/)/.exec(record.path)?.[0]
    if (repository !== undefined && record.movedFrom === undefined) return [repository]
    return record.movedFrom === undefined ? [record.path] : [record.path, record.movedFrom]
  })
  return [...new Set(judged)]
}

/** Returns a conflict for each created repository that was used since: it is removed completely or not at all. */
export function findUsedRepositories(
  records: readonly Replaced[],
  steps: readonly UndoStep[],
  files: ReadFiles,
): UndoConflict[] {
  const known = new Set(records.map(({ path }) => path))
  return findMadeRepositories(records).flatMap((repository) => {
    if (files.left(repository) !== 'folder') return []
    const newer = steps.find((step) => step.do === 'set aside' && isInside(step.path, repository))
    const added = newer?.path ?? findAdded(repository, known, files)
    return added === undefined
      ? []
      : [
          {
            path: repository,
            reason: `was used since then (see ${added}); delete it yourself if you no longer need it`,
          },
        ]
  })
}

function findAdded(folder: string, known: ReadonlySet<string>, files: ReadFiles): string | undefined {
  for (const { name, type } of files.list(folder, { hidden: true, limit: Number.POSITIVE_INFINITY }).entries) {
    const path = `${folder}/${name}`
    if (!known.has(path)) return path
    const inside = type === 'directory' ? findAdded(path, known, files) : undefined
    if (inside !== undefined) return inside
  }
  return undefined
}

const isMade = ({ before, movedFrom }: Replaced): boolean => before === null && movedFrom === undefined

const isInside = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)
