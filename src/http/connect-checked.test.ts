import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { connectChecked } from './connect-checked.ts'
import { SYSTEM_NETWORK } from './network.ts'

const signal = new AbortController().signal

test("Haft's own port is refused on every address of this machine, also where all is opened", async () => {
  const options = { network: SYSTEM_NETWORK, signal, isOpened: () => true, isOwnPort: (port: number) => port === 4242 }
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '127.1.2.3', '10.0.0.1'])
    await expect(connectChecked({ host, port: 4242 }, options)).rejects.toThrow('the server of Haft')
})

test('an address that was opened is connected to by the network of this machine', async () => {
  const server = createServer((socket) => socket.end('hello'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const options = { network: SYSTEM_NETWORK, signal, isOpened: () => true, isOwnPort: () => false }
  const socket = await connectChecked({ host: 'localhost', port }, options)
  expect(String((await socket.toArray())[0])).toBe('hello')
})

test('the next address is tried when one does not answer, and a cancel ends the wait', async () => {
  const tried: string[] = []
  const network = {
    resolve: async () => ['93.184.216.34', '1.1.1.1'],
    connect: (address: string) => {
      tried.push(address)
      return SYSTEM_NETWORK.connect('127.0.0.1', 1)
    },
  }
  const options = { network, signal, isOpened: () => false, isOwnPort: () => false }
  await expect(connectChecked({ host: 'example.com', port: 80 }, options)).rejects.toThrow('could not be reached')
  expect(tried).toEqual(['93.184.216.34', '1.1.1.1'])
  const stopped = { ...options, signal: AbortSignal.abort(new Error('stopped')) }
  await expect(connectChecked({ host: 'example.com', port: 80 }, stopped)).rejects.toThrow('stopped')
})
