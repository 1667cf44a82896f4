/** Never ends; handles the signal only on request, and prints once more when it is over. */
export default {
  name: 'hang',
  description: 'Hang.',
  input: { type: 'object', properties: { stops: { type: 'boolean', description: 'Stop on cancel' } } },
  effect: 'none',
  execute({ stops }, { signal, delta }) {
    delta('half a ')
    delta('word')
    const endless = setInterval(() => undefined, 1000)
    return new Promise((_, reject) => {
      const end = () => {
        clearInterval(endless)
        if (stops) reject(signal.reason)
        setImmediate(() => stops && delta('after the end'))
      }
      if (signal.aborted) end()
      else signal.addEventListener('abort', end)
    })
  },
}
