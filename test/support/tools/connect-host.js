/** Effect network; connects to nothing. */
export default {
  name: 'connect_host',
  description: 'Pretend to speak to a host.',
  input: { type: 'object', properties: { host: { type: 'string', description: 'Which host' } }, required: ['host'] },
  effect: 'network',
  touches: ({ host }) => [{ kind: 'connects', host }],
  execute: ({ host }) => ({ host }),
}
