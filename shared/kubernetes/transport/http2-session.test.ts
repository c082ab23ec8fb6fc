import { once } from 'node:events'
import http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import { generate } from 'selfsigned'
import { expect, test } from 'vitest'
import { virtualClock } from '../../clock/clock.ts'
import { openHttp2Session } from './http2-session.ts'

test('a timer that fires between the end of a connection and its close event does nothing', async () => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keyType: 'ec',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  })
  const server = http2.createSecureServer({ cert, key }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const timers: (() => void)[] = []
  const clock = {
    ...virtualClock(0),
    after: (_: number, callback: () => void) => {
      timers.push(callback)
      return () => undefined
    },
  }
  const origin = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const session = await openHttp2Session(origin, { ca: cert }, clock)
  const ping = timers.at(-1)
  const closed = session && once(session, 'close')
  session?.destroy()
  expect(session?.destroyed).toBe(true)
  expect(ping).not.toThrow()
  await closed
  server.close()
})
