import { execFileSync } from 'node:child_process'
import {
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The folders of one attack: a workspace, a folder beside it that nobody may touch, and one whose name starts alike. */
export interface PathFixture extends Disposable {
  readonly workspace: string
  readonly outside: string
  /** The workspace's name as the host is given it. */
  readonly given: string
  /** Everything outside, as text: equal as long as nothing changed. */
  outsideNow(): string
  /** Replaces `${WS}` and `${OUT}` in a text by the folders. */
  fill(text: string): string
}

/** One thing that a case wants done before the call. */
export type Setup =
  | { do: 'symlink' | 'hardlink'; target: string; path: string }
  | { do: 'mkdir' | 'fifo' | 'socket'; path: string }
  | { do: 'write'; path: string; content: string }
  | { do: 'root-is-symlink' }
  | { do: 'race-rename' | 'race-create'; path: string; with: string; iterations: number }

/** Creates the folders that the corpus describes. */
export async function setStage(setups: readonly Setup[] = []): Promise<PathFixture> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'haft-paths-')))
  const [workspace, outside, sibling] = [join(root, 'ws'), join(root, 'out'), join(root, 'ws-evil')]
  mkdirSync(join(workspace, 'dir'), { recursive: true })
  writeFileSync(join(workspace, 'a.txt'), 'inside')
  writeFileSync(join(workspace, 'dir/b.txt'), 'inner')
  for (const folder of [outside, sibling]) {
    mkdirSync(folder)
    writeFileSync(join(folder, 'secret.txt'), 'CANARY')
  }
  const link = join(root, 'ws-link')
  const fill = (text: string) => text.replace(/\$\{(WS|OUT)\}/g, (_, name) => (name === 'WS' ? workspace : outside))
  const closers: (() => void)[] = []
  for (const setup of setups) await prepare(setup, { fill, link, workspace, closers })
  return {
    workspace,
    outside,
    given: setups.some((setup) => setup.do === 'root-is-symlink') ? link : workspace,
    fill,
    outsideNow: () => [outside, sibling].map(describeTree).join('\n'),
    [Symbol.dispose]() {
      for (const close of closers) close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

interface Staging {
  fill(text: string): string
  readonly link: string
  readonly workspace: string
  readonly closers: (() => void)[]
}

async function prepare(setup: Setup, { fill, link, workspace, closers }: Staging): Promise<void> {
  if (setup.do === 'root-is-symlink') return symlinkSync(workspace, link)
  const path = fill(setup.path)
  mkdirSync(dirname(path), { recursive: true })
  if (setup.do === 'symlink') symlinkSync(fill(setup.target), path)
  if (setup.do === 'hardlink') linkSync(fill(setup.target), path)
  if (setup.do === 'mkdir') mkdirSync(path, { recursive: true })
  if (setup.do === 'write') writeFileSync(path, setup.content)
  if (setup.do === 'fifo') execFileSync('mkfifo', [path])
  if (setup.do === 'socket') {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(path, resolve))
    closers.push(() => server.close())
  }
}

function describeTree(path: string): string {
  const stats = lstatSync(path)
  const facts = `${path} ${stats.mode} ${stats.mtimeMs}`
  if (stats.isSymbolicLink()) return `${facts} -> ${readlinkSync(path)}`
  if (!stats.isDirectory()) return `${facts} ${readFileSync(path, 'utf8')}`
  return [
    facts,
    ...readdirSync(path)
      .sort()
      .map((name) => describeTree(join(path, name))),
  ].join('\n')
}
