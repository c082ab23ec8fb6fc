import { createServer } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import { everyAddress, listen } from './listen.ts'

describe('a server that listens on every address', () => {
  test.each(['EAFNOSUPPORT', 'EADDRNOTAVAIL'])('uses IPv4 where IPv6 fails with %s', async code => {
    const server = createServer()
    const real = server.listen.bind(server)
    vi.spyOn(server, 'listen').mockImplementation(((port: number, host: string, done: () => void) =>
      host === everyAddress
        ? process.nextTick(() => server.emit('error', Object.assign(new Error('no IPv6'), { code })))
        : real(port, host, done)) as never)
    expect(await listen(server, { address: everyAddress, port: 0 })).toMatchObject({ address: '0.0.0.0' })
    server.close()
  })

  test('reports a port that another server has, instead of sharing it', async () => {
    const [first, second] = [createServer(), createServer()]
    const { port } = await listen(first, { address: everyAddress, port: 0 })
    await expect(listen(second, { address: everyAddress, port })).rejects.toThrow('EADDRINUSE')
    first.close()
  })
})
