import { answer } from '../core/call/result.ts'
import { array, boolean, integer, number, objectSchema, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'
import { maskCommandLine } from './processes/mask-command-line.ts'

const MAX_PROCESSES = 200

export default defineTool({
  name: 'list_processes',
  description: "List the user's running processes with CPU, memory and command line.",
  input: objectSchema({
    filter: optional(
      string('Only those whose name or command has this text, or this pid', { minLength: 1, maxLength: 200 }),
    ),
  }),
  output: objectSchema({
    processes: array(
      objectSchema({
        pid: integer('Process id'),
        parent: integer('Its parent'),
        name: string('Program'),
        cpu: number('Percent of one processor since its start'),
        memory: integer('Bytes'),
        started: string('ISO 8601'),
        command: string('Command line, secrets masked'),
      }),
      'Processes, the most memory first',
    ),
    more: optional(boolean('True if there are more')),
  }),
  effect: 'read',
  main: 'filter',
  async execute({ filter = '' }, { machine }) {
    const wanted = filter.toLowerCase()
    const all = (await machine.processes())
      .map((one) => ({ ...one, command: maskCommandLine(one.command) }))
      .filter(({ pid, name, command }) => `${pid}` === wanted || `${name}\n${command}`.toLowerCase().includes(wanted))
      .sort((a, b) => b.memory - a.memory)
    const processes = all.slice(0, MAX_PROCESSES)
    const lines = processes.map(
      ({ pid, cpu, memory, started, command }) =>
        `${`${pid}`.padStart(7)} ${cpu.toFixed(1).padStart(5)}% ${`${Math.round(memory / 1e6)} MB`.padStart(8)} ${started.slice(0, 19)}Z ${command.slice(0, 200)}`,
    )
    const isMore = all.length > processes.length
    const text = [
      lines.length === 0
        ? `No process${filter === '' ? '' : ` with ${JSON.stringify(filter)}`} was found.`
        : '    pid   cpu   memory started              command',
      ...lines,
      ...(isMore ? [`[and ${all.length - processes.length} more; use filter]`] : []),
    ]
    return answer(text.join('\n'), { processes, ...(isMore && { more: true }) })
  },
})
