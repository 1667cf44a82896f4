import type { Machine } from '../core/ports/developer/machine.ts'
import type { PushOptions } from './push.ts'

/** What a few tools do outside the sandbox. Each part is loaded at its first use. */
export function createMachine(options: PushOptions): Machine {
  return {
    push: async (order, signal) => (await import('./push.ts')).push(order, signal, options),
    processes: async () => (await import('./processes.ts')).listProcesses(options),
  }
}
