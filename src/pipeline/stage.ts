import { type Failure, isFailure } from '../core/call/result.ts'

/** What a stage makes of a call, or the failure that ends the call; a promise only where something must be waited for. */
export type Stage<Made> = Made | Failure | Promise<Made | Failure>

/** Goes on with what a stage made, and passes a failure on. Only promises are awaited: awaiting a value that is there costs more than most stages (gate 1b). */
export function proceed<Made, Next>(stage: Stage<Made>, next: (made: Made) => Stage<Next>): Stage<Next> {
  if (stage instanceof Promise) return stage.then((made) => (isFailure(made) ? made : next(made)))
  return isFailure(stage) ? stage : next(stage)
}
