import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Model } from '../../core/ports/model.ts'
import type { Models } from '../models/models.ts'
import type { TaskOptions } from './task-options.ts'

const REPLAY = 'replay:'

/** Opens the model of a task. A folder of recordings has a file for each task, `TASK.jsonl`. Rejects with ModelError. */
export async function modelOfTask(
  models: Models,
  task: string,
  { model, record }: Pick<TaskOptions, 'model' | 'record'>,
): Promise<Model> {
  const name = isRecordings(model) ? `${REPLAY}${join(model.slice(REPLAY.length), `${task}.jsonl`)}` : model
  if (record === undefined) return models.open(name)
  mkdirSync(record, { recursive: true })
  return models.open(name, { record: join(record, `${task}.jsonl`), repliesOnly: true })
}

/** True for `replay:FOLDER`: each task has a recording of its own. */
export function isRecordings(model: string): boolean {
  if (!model.startsWith(REPLAY)) return false
  return statSync(model.slice(REPLAY.length), { throwIfNoEntry: false })?.isDirectory() === true
}
