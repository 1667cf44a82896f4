// Writes the top-level help next to the built program, so that `haft --help` needs to load nothing.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const dist = join(import.meta.dirname, '../dist')
const { buildProgram } = await import(join(dist, 'cli/program.js'))
const program = buildProgram(
  () => Promise.reject(new Error('no host is needed for the help')),
  () => undefined,
)
let help = ''
program.configureOutput({ writeOut: (text: string) => (help += text), getOutHelpWidth: () => 100 })
program.outputHelp()
writeFileSync(join(dist, 'help.txt'), help)
