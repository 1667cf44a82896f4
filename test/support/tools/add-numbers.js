/** Effect none. */
export default {
  name: 'add_numbers',
  description: 'Add two numbers.',
  input: {
    type: 'object',
    properties: {
      a: { type: 'number', description: 'The first' },
      b: { type: 'number', description: 'The second' },
    },
    required: ['a', 'b'],
  },
  output: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
  effect: 'none',
  execute: ({ a, b }) => ({ sum: a + b }),
}
