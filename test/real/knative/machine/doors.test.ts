import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDoor, serveDoors } from './doors.ts'

test('a door leads through a Unix socket to a server, and its close ends connections', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-doors-'))
  const server = createServer((request, response) => request.pipe(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = join(folder, 'doors.sock')
  const doors = await serveDoors(socket)
  const { port } = server.address() as AddressInfo
  const door = await openDoor('127.0.0.1', socket, { host: '127.0.0.1', port })
  const url = `http://127.0.0.1:${door.port}`
  const body = 'x'.repeat(1_000_000)
  expect(await (await fetch(url, { method: 'POST', body })).text()).toBe(body)
  await door.close()
  await expect(fetch(url)).rejects.toThrow()
  doors.close()
  server.close()
  await rm(folder, { recursive: true })
})
