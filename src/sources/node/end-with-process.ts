import type { RunningProgram } from '../../core/ports/sandbox.ts'

const running = new Set<RunningProgram>()

/** Ends a program when this process exits in whatever way it still can act on: one that hangs would not notice by itself. */
export function endWithProcess(program: RunningProgram): RunningProgram {
  if (running.size === 0) process.on('exit', endAll)
  running.add(program)
  void program.ended.then(() => {
    running.delete(program)
    if (running.size === 0) process.off('exit', endAll)
  })
  return program
}

function endAll(): void {
  for (const program of running) program.end()
}
