/** Effect network; dials nobody. */
export default {
  name: 'dial_host',
  description: 'Pretend to speak to a host.',
  input: { type: 'object', properties: { host: { type: 'string', description: 'Which host' } }, required: ['host'] },
  effect: 'network',
  touches: ({ host }) => [{ kind: 'dials', host }],
  execute: ({ host }) => ({ host }),
}
