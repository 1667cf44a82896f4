import { type Failure, isFailure } from '../core/call/result.ts'

/** The outcome of a stage, or the failure that ends the call. A promise only if the stage has to wait. */
export type Stage<Made> = Made | Failure | Promise<Made | Failure>

/** Continues with the outcome of a stage, and passes a failure on. Awaits only promises, because awaiting a plain value costs more than most stages; `run` is handed on, so that a next stage needs no function of its own for each call (gate 1b). */
export function proceed<Made, Next, Run = undefined>(
  stage: Stage<Made>,
  next: (made: Made, run: Run) => Stage<Next>,
  run: Run,
): Stage<Next> {
  if (stage instanceof Promise) return stage.then((made) => (isFailure(made) ? made : next(made, run)))
  return isFailure(stage) ? stage : next(stage, run)
}
