import { join } from 'node:path'
import { builtFile } from '../lib/built-haft.ts'

/** A command line in the race. */
export interface CommandLine {
  readonly name: string
  readonly peer?: boolean
  command(flag: string): readonly string[]
}

/** The baseline of the ratios, and the contestant the gates speak of. */
export const EMPTY_NODE = 'node -e 0 (baseline)'
export const HAFT = 'haft'

const PEERS = ['claude', 'codex', 'copilot', 'gemini', 'opencode', 'pi', 'qwen']
const BIN = join(import.meta.dirname, 'node_modules/.bin')

/** Everybody in the race; the peers come from bench/cli/package.json. */
export const commandLines: readonly CommandLine[] = [
  { name: EMPTY_NODE, command: () => [process.execPath, '-e', '0'] },
  { name: 'node, console.log (floor)', command: () => [process.execPath, '-e', 'console.log(1)'] },
  { name: HAFT, command: (flag) => [process.execPath, builtFile('main.js'), flag] },
  ...PEERS.map((name) => ({ name, peer: true, command: (flag: string) => [join(BIN, name), flag] })),
]
