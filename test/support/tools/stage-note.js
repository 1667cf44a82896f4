/** Works in steps, by hand: waits at its gate file, and its cleanup leaves a mark beside it. */
export default {
  name: 'stage_note',
  description: 'Write a note in steps.',
  input: {
    type: 'object',
    properties: { path: { type: 'string', description: 'Which note' } },
    required: ['path'],
  },
  effect: 'write',
  touches: ({ path }) => [{ kind: 'writes', path }],
  steps: ({ path }) => ({
    approvalAt: 0,
    steps: [
      {
        run: (_, { delta, signal }) => {
          delta('at work\n')
          const endless = setInterval(() => undefined, 1000)
          return new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              clearInterval(endless)
              reject(signal.reason)
            })
          })
        },
      },
    ],
    cleanups: [(result, { files }) => void files.write(`${path}.cleaned`, Buffer.from(result.ok ? 'ok' : result.code))],
  }),
}
