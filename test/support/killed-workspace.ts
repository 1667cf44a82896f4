import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeTree } from './trees.ts'

/** Adds, changes, deletes and moves files and folders, and changes modes and links. */
export const SCRIPT = `
mkdir -p new/deep empty; for i in 1 2 3 4 5; do echo "$i" > new/deep/$i; done
for i in 1 2 3; do echo changed > d/$i.txt; done
rm d/4.txt; rm -r gone; mv moved there
chmod 755 d/5.txt; ln -sf d/5.txt link; rm kind; mkdir kind; echo x > kind/x; chmod 700 there
`

/** What a worker found at its start, or after it did what it was told to. */
export interface KillReport {
  readonly tree: Readonly<Record<string, string>>
  /** The last call that can be undone. */
  readonly last: string
  readonly leftovers: readonly string[]
  /** How many file operations the worker made. */
  readonly operations: number
}

/** What a worker does next: makes the workspace ready, acts and dies at one of its file operations (at none for 0), or ends. */
export type KillOrder =
  | { readonly do: 'make ready' }
  | { readonly do: 'act'; readonly killAt: number }
  | { readonly do: 'end' }

/** Gives a workspace the files that the script changes, and no others. */
export function fillWorkspace(workspace: string): void {
  for (const name of readdirSync(workspace)) rmSync(join(workspace, name), { recursive: true })
  for (const folder of ['d', 'gone/deep', 'moved/sub']) mkdirSync(join(workspace, folder), { recursive: true })
  for (const file of [1, 2, 3, 4, 5]) writeFileSync(join(workspace, `d/${file}.txt`), `${file}\n`)
  for (const file of ['gone/a', 'gone/deep/b', 'moved/c', 'moved/sub/e', 'kind'])
    writeFileSync(join(workspace, file), file)
  symlinkSync('d/1.txt', join(workspace, 'link'))
  chmodSync(join(workspace, 'moved'), 0o755)
}

/** What a run or an undo that was killed could leave behind. */
export function listLeftovers(home: string, workspace: string): string[] {
  const runs = join(home, 'runs')
  const names = Object.keys(describeTree(workspace)).filter((path) => path.includes('.haft'))
  return [...names, ...(existsSync(runs) ? readdirSync(runs).flatMap((name) => readdirSync(join(runs, name))) : [])]
}
