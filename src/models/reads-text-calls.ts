import type { Model } from '../core/ports/model.ts'
import { readTextCalls } from './text-calls/read-text-calls.ts'
import { createVisibleText } from './text-calls/visible-text.ts'
import { withTextCalls } from './with-text-calls.ts'

/** The same model, whose calls are also read where it prints them as text, in the forms of every family. */
export function readsTextCalls(model: Model): Model {
  return withTextCalls(model, readTextCalls, createVisibleText)
}
