import { execFileSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What searches look for: in one file of 500, and at the end of the big file. */
export const NEEDLE = 'NEEDLE_TOKEN_XYZ'

/** Where the files lie that everybody works on. */
export interface DataSet {
  readonly root: string
  /** 50,000 files in 2,000 folders, about 200 MB. */
  readonly tree: string
  /** A folder of 25 files. */
  readonly folder: string
  readonly kilobyte: string
  readonly megabyte: string
  /** One file of 200 MB. */
  readonly big: string
  /** The built floor, or undefined where there is no C compiler. */
  readonly floor: string | undefined
}

/** Makes the data set, the same every time, unless it is there from an earlier run. */
export function makeDataSet(): DataSet {
  const root = join(tmpdir(), 'haft-bench-files')
  const tree = join(root, 'tree')
  if (!existsSync(join(root, 'done'))) {
    rmSync(root, { recursive: true, force: true })
    const random = createRandom(7)
    const blocks = Array.from({ length: 32 }, () => makeText(random, 65_536))
    makeTree(tree, random, blocks)
    writeFileSync(join(tree, 'one_kb.txt'), (blocks[0] ?? '').slice(0, 1_024))
    writeFileSync(join(tree, 'one_mb.txt'), blocks.slice(0, 16).join(''))
    makeBig(join(root, 'big.txt'), random, blocks)
    mkdirSync(join(root, 'out'))
    writeFileSync(join(root, 'done'), '')
  }
  return {
    root,
    tree,
    folder: 'tree/pkg03/mod4/sub5',
    kilobyte: 'tree/one_kb.txt',
    megabyte: 'tree/one_mb.txt',
    big: join(root, 'big.txt'),
    floor: buildFloor(root),
  }
}

type Random = () => number

/** A small generator of numbers below 1, the same for the same seed (mulberry32). */
function createRandom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function makeText(random: Random, size: number): string {
  let text = ''
  while (text.length < size) text += random() < 0.1 ? '\n' : `${Math.floor(random() * 1e7).toString(36)} `
  return text.slice(0, size)
}

function makeTree(tree: string, random: Random, blocks: readonly string[]): void {
  const endings = ['.ts', '.py', '.md', '.json', '.txt']
  for (let folder = 0, file = 0; folder < 2_000; folder++) {
    const [pack, module, sub] = [Math.floor(folder / 100), Math.floor(folder / 10) % 10, folder % 10]
    const path = join(tree, `pkg${String(pack).padStart(2, '0')}`, `mod${module}`, `sub${sub}`)
    mkdirSync(path, { recursive: true })
    for (let index = 0; index < 25; index++, file++) {
      const size = Math.min(60_000, Math.floor(-Math.log(1 - random()) * 4_000) + 100)
      const content = (blocks[file % blocks.length] ?? '').slice(0, size)
      const name = `file_${String(file).padStart(5, '0')}${endings[file % 5]}`
      writeFileSync(join(path, name), file % 500 === 0 ? `${content}\n${NEEDLE} here\n` : content)
    }
  }
}

function makeBig(path: string, random: Random, blocks: readonly string[]): void {
  const fd = openSync(path, 'w')
  for (let block = 0; block < 3_200; block++) writeSync(fd, blocks[Math.floor(random() * blocks.length)] ?? '')
  writeSync(fd, `${NEEDLE} at the end\n`)
  closeSync(fd)
}

function buildFloor(root: string): string | undefined {
  const built = join(root, 'floor')
  try {
    if (!existsSync(built)) execFileSync('cc', ['-O2', '-o', built, join(import.meta.dirname, 'floor.c')])
    return built
  } catch {
    return undefined
  }
}
