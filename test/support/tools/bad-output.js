/** Returns what its own output schema refuses. */
export default {
  name: 'bad_output',
  description: 'Return something else than promised.',
  input: { type: 'object', properties: {} },
  output: { type: 'object', properties: { size: { type: 'number' } }, required: ['size'] },
  effect: 'none',
  execute: () => ({ size: 'large' }),
}
