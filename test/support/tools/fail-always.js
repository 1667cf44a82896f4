/** Throws. */
export default {
  name: 'fail_always',
  description: 'Throw what it is told to throw.',
  input: { type: 'object', properties: { message: { type: 'string', description: 'What it throws' } } },
  effect: 'none',
  execute({ message }) {
    throw message === undefined ? undefined : new Error(message)
  },
}
