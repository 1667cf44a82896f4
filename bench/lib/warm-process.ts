import { type ChildProcess, fork } from 'node:child_process'

/** How long a contestant may take to start or to carry out one order, in ms; whoever takes longer is out. */
const PATIENCE = 60_000

/** What the child is asked to do. */
export interface Order {
  readonly calls: number
  readonly inFlight: number
}

/** What one order cost: milliseconds, milliseconds and bytes. */
export interface Cost {
  readonly wall: number
  readonly cpu: number
  readonly rss: number
}

/** What a child sends: its cost, or that it is ready or failed. */
export type Message = Cost | { readonly ready: true } | { readonly error: string }

/** A contestant in a process of its own that stays warm between rounds. */
export interface WarmProcess {
  measure(order: Order): Promise<Cost>
  stop(): void
}

/** Starts `file` with the contestant's name and waits until it is ready; rejects with the child's own reason. */
export async function startWarm(file: string, name: string): Promise<WarmProcess> {
  const child = fork(file, [name], { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  await nextMessage(child).catch((reason) => {
    child.kill()
    throw reason
  })
  return {
    async measure(order) {
      const message = nextMessage(child)
      child.send(order)
      const cost = await message
      if (!('cpu' in cost)) throw new Error('the contestant sent no cost')
      return cost
    },
    stop: () => void child.kill(),
  }
}

function nextMessage(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(timer)
      child.off('message', hear)
      child.off('exit', leave)
    }
    const hear = (message: Message) => {
      settle()
      if ('error' in message) reject(new Error(message.error))
      else resolve(message)
    }
    const leave = (code: number | null) => {
      settle()
      reject(new Error(`its process ended with ${code}`))
    }
    const timer = setTimeout(() => {
      settle()
      child.kill()
      reject(new Error(`it took longer than ${PATIENCE / 1000} s`))
    }, PATIENCE)
    child.once('message', hear)
    child.once('exit', leave)
  })
}
