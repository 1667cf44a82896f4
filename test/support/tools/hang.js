/** Never ends; handles the signal only on request, and prints once more when it is over. */
export default {
  name: 'hang',
  description: 'Hang.',
  input: { type: 'object', properties: { heeds: { type: 'boolean', description: 'Stop when told to' } } },
  effect: 'none',
  execute({ heeds }, { signal, delta }) {
    delta('half a ')
    delta('word')
    const endless = setInterval(() => undefined, 1000)
    return new Promise((_, reject) => {
      const end = () => {
        clearInterval(endless)
        if (heeds) reject(signal.reason)
        setImmediate(() => heeds && delta('after the end'))
      }
      if (signal.aborted) end()
      else signal.addEventListener('abort', end)
    })
  },
}
