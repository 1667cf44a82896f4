import type { Connection } from '../ports/http.ts'

/** A port of a task that is open on this machine. */
export interface TaskPort {
  readonly call: string
  readonly session: string
  /** The port that the task listens on. */
  readonly inside: number
  /** The port of 127.0.0.1 that leads to it; the same number where that was free. */
  readonly port: number
}

/** Opens ports of tasks on this machine. They are for the person, and for later calls of the same session. */
export interface TaskPorts {
  /** Opens a port until the signal aborts; `connect` reaches the task. Rejects with ToolError. */
  open(
    wanted: Pick<TaskPort, 'call' | 'session' | 'inside'>,
    connect: (port: number) => Promise<Connection>,
    signal: AbortSignal,
  ): Promise<TaskPort>
  /** The open ports of a session. */
  list(session: string): readonly TaskPort[]
}
