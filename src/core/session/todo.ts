/** One line of a session's to-do list. */
export interface Todo {
  readonly text: string
  readonly state: 'open' | 'active' | 'done'
}
