import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { virtualClock } from '../clock/clock.ts'
import { type ExtensionEvent, eventMessage } from '../events/events.ts'
import { sampleEvent as event } from '../events/testing/sample-event.ts'
import { raw, recorded, useHosts } from './testing/use-hosts.ts'

const root = new URL('../../', import.meta.url).pathname
const good = eventMessage(event)

describe('the server of the functions framework', () => {
  const { start, agent } = useHosts()

  test.each<[string, Uint8Array, Readonly<Record<string, string>>, number, string]>([
    ['broken JSON', Buffer.from('{"password": abc}'), {}, 400, 'data: not valid JSON in UTF-8\n'],
    ['JSON that is no object', Buffer.from('1'), {}, 400, 'data: not a Kubernetes object\n'],
    ['an unknown charset', good.body, { 'content-type': 'application/json; charset=x' }, 204, ''],
    ['an unknown encoding', good.body, { 'content-encoding': 'x' }, 204, ''],
    [
      'a compressed event',
      gzipSync(good.body),
      { 'content-encoding': 'gzip' },
      400,
      'data: not valid JSON in UTF-8\n',
    ],
    ['an event that is too large', Buffer.alloc(2 ** 21), {}, 400, 'larger than 1048576 bytes\n'],
  ])('reads %s itself', async (_, body, headers, status, problem) => {
    const written = vi.spyOn(console, 'error')
    const { host, answers } = await start()
    const answer = await request(host.url, {
      method: 'POST',
      headers: { ...good.headers, ...headers },
      body,
      dispatcher: agent(),
    })
    expect([answer.statusCode, await text(answer.body)]).toEqual([status, problem])
    expect(Object.values(await answers())).toEqual([1])
    expect(written).not.toHaveBeenCalled()
    written.mockRestore()
  })

  test('answers 503 to a slow body and closes the connection', async () => {
    const clock = virtualClock(0)
    const { host, answers } = await start({ clock })
    const headers = Object.entries({ ...good.headers, host: 'localhost', 'content-length': '2' })
    const head = ['POST / HTTP/1.1', ...headers.map(([key, value]) => `${key}: ${value}`)].join('\r\n')
    const answer = raw(host, `${head}\r\n\r\n{`, async () => {
      while (clock.pending().length === 0) await clock.advance(0)
      await clock.advance(10_000)
    })
    expect(await answer).toMatch(/^HTTP\/1.1 503 .*connection: close/is)
    expect(await answers()).toEqual({ incomplete: 1 })
  })

  test('runs a step in no domain, so that an error outside of the step ends the process', async () => {
    const domains: unknown[] = []
    const { send } = await start({
      handle: async () => {
        domains.push(Reflect.get(process, 'domain') ?? undefined)
        await new Promise(resolve => setTimeout(resolve))
        domains.push(Reflect.get(process, 'domain') ?? undefined)
        return recorded
      },
    })
    expect((await send(good)).status).toBe(204)
    expect(domains).toEqual([undefined, undefined])
  })

  test.each(['/favicon.ico', '/robots.txt'])('answers %s', async path => {
    const { host } = await start()
    const { statusCode, body } = await request(`${host.url}${path}`, { dispatcher: agent() })
    await body.dump()
    expect(statusCode).toBe(404)
  })
})

describe('the command line of the functions framework', () => {
  const children: ChildProcess[] = []
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
  })

  const freePort = async (): Promise<number> => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    server.close()
    await once(server, 'close')
    return typeof address === 'object' && address ? address.port : 0
  }

  /** Starts an unmodified source. `written` resolves once the process has written the text. */
  const start = async (...args: readonly string[]) => {
    const port = await freePort()
    const child = spawn(
      process.execPath,
      [
        `${root}node_modules/@google-cloud/functions-framework/build/src/main.js`,
        '--target=echo',
        '--source=shared/runtime/testing/framework-entry.ts',
        `--port=${port}`,
        ...args,
      ],
      { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
    )
    children.push(child)
    let output = ''
    const written = (wanted: string): Promise<void> =>
      new Promise((resolve, reject) => {
        const search = () => {
          if (output.includes(wanted)) resolve()
        }
        search()
        child.stdout.on('data', search)
        child.once('exit', () => reject(new Error(`ended before it wrote "${wanted}": ${output}`)))
      })
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', chunk => {
        output += String(chunk)
      })
    }
    await written('URL: ')
    const url = `http://127.0.0.1:${port}/`
    const post = async (change: Partial<ExtensionEvent> = {}) => {
      const { headers, body } = eventMessage({ ...event, ...change })
      const answer = await request(url, { method: 'POST', headers: { ...headers }, body })
      return {
        status: answer.statusCode,
        retryAfter: answer.headers['retry-after'],
        text: await text(answer.body),
      }
    }
    return { child, url, post, written }
  }

  test.each([[], ['--signature-type=cloudevent']])(
    'runs a function from its source, with the arguments %j',
    async (...args) => {
      const { url, post } = await start(...args)
      expect(await post()).toEqual({ status: 204, retryAfter: undefined, text: '' })
      expect(await post({ reason: 'busy' })).toEqual({ status: 503, retryAfter: '7', text: '' })
      expect(await post({ provider: 'google-clouddns' })).toMatchObject({
        status: 400,
        text: 'not for this function: kind DNSRecord, provider google-clouddns\n',
      })
      const { statusCode, body } = await request(`${url}health/readiness`)
      expect([statusCode, await text(body)]).toEqual([200, ''])
    },
  )

  test('answers 500 to an error outside of a step, and continues', async () => {
    const { post } = await start()
    expect(await post({ reason: 'bug' })).toMatchObject({ status: 500, text: 'outside of the step' })
    expect((await post()).status).toBe(204)
  })

  test('answers 500 at SIGTERM and loses the step, which another event repeats', async () => {
    const { child, post, written } = await start()
    const answer = post({ reason: 'endless' })
    await written(`began ${event.id}`)
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await answer).toMatchObject({ status: 500, text: 'Received SIGTERM' })
    expect(await ended).toEqual([0, null])
  })
})
