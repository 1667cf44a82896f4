/** Effect run; ends with the code it is told to. */
export default {
  name: 'run_echo',
  description: 'Echo words as if a program had.',
  input: {
    type: 'object',
    properties: {
      words: { type: 'string', description: 'What to say' },
      exitCode: { type: 'integer', description: 'How to end' },
    },
    required: ['words'],
  },
  effect: 'run',
  touches: ({ words }) => [{ kind: 'runs', command: `echo ${words}` }],
  execute: ({ words, exitCode = 0 }) => ({ stdout: words, exitCode }),
}
