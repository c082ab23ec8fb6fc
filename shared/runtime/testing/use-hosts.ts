import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Agent, request } from 'undici'
import { afterEach, beforeEach, expect } from 'vitest'
import { systemClock } from '../../clock/clock.ts'
import type { HttpMessage } from '../../events/events.ts'
import type { Log } from '../../log/log.ts'
import type { HandleOutcome } from '../answer-events.ts'
import type { OneFunction } from '../event-endpoint.ts'
import { type FunctionHost, type HostOptions, serveFunctions } from '../host.ts'
import { createMetrics } from '../metrics.ts'

export const quiet: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
export const recorded: HandleOutcome = { kind: 'recorded' }

/** Starts hosts on separate ports, with a client. Each test closes them and the open connections at its end. */
export const useHosts = () => {
  let agent: Agent
  /** The response bodies, in order. */
  let refusals: string[]
  const hosts: FunctionHost[] = []
  beforeEach(() => {
    agent = new Agent()
    refusals = []
  })
  afterEach(async () => {
    await agent.destroy()
    for (const host of hosts.splice(0)) await host.close()
  })

  const start = async (
    options: Partial<OneFunction> = {},
    settings: Partial<HostOptions['settings']> = {},
  ) => {
    const metrics = createMetrics()
    const host = await serveFunctions({
      name: 'test',
      handle: async () => recorded,
      metrics,
      log: quiet,
      clock: systemClock,
      ...options,
      settings: {
        address: '127.0.0.1',
        port: 0,
        maxConcurrency: 0,
        drainMs: 60_000,
        ...settings,
      },
    })
    hosts.push(host)
    const send = async ({ headers, body }: HttpMessage, path = '/', method: 'POST' | 'PUT' = 'POST') => {
      const answer = await request(`${host.url}${path}`, {
        method,
        headers: { ...headers },
        body,
        dispatcher: agent,
      })
      const text = await answer.body.text()
      // Brokers treat the body of a successful response as an event.
      if (answer.statusCode !== 400) expect(text).toBe('')
      else expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
      refusals.push(text)
      return { status: answer.statusCode, retryAfter: answer.headers['retry-after'] }
    }
    const answers = async () =>
      Object.fromEntries(
        [
          ...(await metrics.render()).text.matchAll(
            /answers_total\{outcome="([^"]+)",function="(?:test)?"\} (\d+)/g,
          ),
        ].map(match => [match[1], Number(match[2])]),
      )
    return { host, send, answers }
  }

  const get = async (host: FunctionHost, path: string) => {
    const answer = await request(`${host.url}${path}`, { dispatcher: agent })
    return { status: answer.statusCode, text: await answer.body.text() }
  }

  return { start, get, refusals: (): readonly string[] => refusals, agent: () => agent }
}

/**
 * Writes raw text to the host and returns all response text until the connection closes.
 *
 * @param then continues once the text is written
 */
export const raw = async (
  host: FunctionHost,
  text: string,
  then?: (socket: Socket) => Promise<void>,
): Promise<string> => {
  const socket = connect(host.port, '127.0.0.1')
  let answer = ''
  socket.on('data', chunk => {
    answer += chunk
  })
  socket.write(text)
  const closed = once(socket, 'close')
  await then?.(socket)
  await closed
  return answer
}
