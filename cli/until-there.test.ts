import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiServer } from '../sandbox/kubernetes/kubernetes.ts'
import { type Clock, systemClock } from '../shared/clock/clock.ts'
import { untilThere, type WaitOptions } from './until-there.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-there-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A clock with pauses that end at once; `at` runs an action in the nth pause. */
const clockWith = (at: Readonly<Record<number, () => unknown>> = {}) => {
  let pauses = 0
  const clock: Clock = {
    ...systemClock,
    now: () => pauses * 100,
    sleep: async () => {
      pauses++
      await at[pauses]?.()
    },
  }
  return { clock, pauses: () => pauses }
}

const wait = async (given: WaitOptions, at: Readonly<Record<number, () => unknown>> = {}) => {
  const lines: string[] = []
  const { clock, pauses } = clockWith(at)
  await untilThere(given, {
    clock,
    print: text => lines.push(text),
    limitMs: 5_000,
    howToStart: port => `Start an AWS there with: trellis aws --port ${port}`,
  })
  return { lines, pauses: pauses() }
}

/** Returns a port that was free just now. */
const freePort = () =>
  new Promise<number>(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { readonly port: number }
      server.close(() => resolve(port))
    })
  })

const listenAt = (port: number) =>
  new Promise<() => void>(resolve => {
    const server = createServer(socket => socket.destroy()).listen(port, '127.0.0.1', () =>
      resolve(() => server.close()),
    )
  })

describe('an endpoint on this machine', () => {
  test('the command waits for it, and says so once', async () => {
    const port = await freePort()
    let close = () => {}
    const open = async () => {
      close = await listenAt(port)
    }
    const endpoint = `http://127.0.0.1:${port}`
    const { lines, pauses } = await wait({ endpoint }, { 3: open })
    close()
    expect(pauses).toBe(3)
    expect(lines).toEqual([`waiting for ${endpoint}, at most 5 s`])
  })

  test('if it does not start, the error has the command that starts one', async () => {
    const port = await freePort()
    await expect(wait({ endpoint: `http://127.0.0.1:${port}` })).rejects.toThrow(
      `nothing listens at http://127.0.0.1:${port}; Start an AWS there with: trellis aws --port ${port}`,
    )
  })
})

test.each(['https://ec2.eu-west-1.amazonaws.com', 'http://192.0.2.1:4566', 'localhost', 'ftp://127.0.0.1:1'])(
  'a remote endpoint, %s, is not waited for',
  async endpoint => {
    expect(await wait({ endpoint })).toEqual({ lines: [], pauses: 0 })
  },
)

describe('a kubeconfig', () => {
  test('the command waits until it is written and its API server listens, even if an older one exists', async () => {
    const kubeconfig = join(folder, 'seed')
    const server = createApiServer({ clock: systemClock })
    const old = server.kubeconfig(`http://127.0.0.1:${await freePort()}`)
    const listening = await server.listen()
    const { lines, pauses } = await wait(
      { kubeconfig },
      {
        2: () => writeFile(kubeconfig, old),
        4: () => writeFile(kubeconfig, server.kubeconfig(listening.url)),
      },
    )
    await listening.close()
    server.close()
    expect(pauses).toBe(4)
    expect(lines).toEqual([`waiting for ${kubeconfig}, at most 5 s`])
  })

  test('if it is never written, the error has the command that writes it', async () => {
    const kubeconfig = join(folder, 'nowhere')
    await expect(wait({ kubeconfig })).rejects.toThrow(
      `no API server answers for ${kubeconfig}. Start one with: trellis dev --kubeconfig ${kubeconfig}`,
    )
  })

  test.each([
    ['a kubeconfig of a remote cluster', 'https://seed.example.com'],
    ['an invalid kubeconfig', ''],
  ])('%s is not waited for', async (_, server) => {
    const kubeconfig = join(folder, 'other')
    const text = server === '' ? 'what: is this' : createApiServer({ clock: systemClock }).kubeconfig(server)
    await writeFile(kubeconfig, text)
    expect(await wait({ kubeconfig })).toEqual({ lines: [], pauses: 0 })
  })
})
