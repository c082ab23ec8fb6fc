import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { limitConnections } from './probes.ts'

const serve = async (most: number) => {
  const server = createServer((request, response) => {
    if (request.url === '/slow') response.writeHead(200).write('begun')
    else response.end('ready')
  })
  limitConnections(server, most)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    server.close()
  })
  const open = async (text = '') => {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    if (text !== '') {
      socket.write(text)
      await once(socket, 'data')
    }
    return socket
  }
  const probe = async () => {
    const request = get({ host: '127.0.0.1', port, agent: false })
    const [response] = await once(request, 'response')
    response.resume()
    return response.statusCode
  }
  const count = () =>
    new Promise<number>((resolve, reject) =>
      server.getConnections((error, number) => (error === null ? resolve(number) : reject(error))),
    )
  return { open, probe, count }
}

test('idle connections beyond the limit are closed, and a probe is answered', async () => {
  const { open, probe, count } = await serve(20)
  for (let number = 0; number < 200; number++) await open()
  expect(await probe()).toBe(200)
  await expect.poll(count).toBeLessThanOrEqual(20)
})

test('a connection with a request in progress outlives idle ones', async () => {
  const { open, probe } = await serve(20)
  const busy = await open('GET /slow HTTP/1.1\r\nhost: a\r\n\r\n')
  let isClosed = false
  busy.once('close', () => {
    isClosed = true
  })
  for (let number = 0; number < 100; number++) await open()
  expect(await probe()).toBe(200)
  expect(isClosed).toBe(false)
})

test('a probe is answered also if every connection has a request in progress', async () => {
  const { open, probe, count } = await serve(10)
  for (let number = 0; number < 15; number++) await open('GET /slow HTTP/1.1\r\nhost: a\r\n\r\n')
  expect(await probe()).toBe(200)
  await expect.poll(count).toBeLessThanOrEqual(10)
})
