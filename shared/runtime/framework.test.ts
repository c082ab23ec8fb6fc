import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { getTestServer } from '@google-cloud/functions-framework/testing'
import { afterEach, describe, expect, test } from 'vitest'
import type { ExtensionEvent } from '../events/events.ts'
import { buildEvent, eventMessage } from '../events/events.ts'
import './testing/framework-entry.ts'

const root = new URL('../../', import.meta.url).pathname

const event = (change: Partial<ExtensionEvent> = {}): ExtensionEvent => ({
  ...buildEvent({
    object: {
      apiVersion: 'extensions.gardener.cloud/v1alpha1',
      kind: 'DNSRecord',
      metadata: {
        name: 'api',
        namespace: 'shoot--foo--bar',
        uid: 'u-1',
        generation: 1,
        resourceVersion: '7',
      },
      spec: { type: 'aws-route53' },
    },
    kind: 'DNSRecord',
    operation: 'reconcile',
    cause: 'c',
    reason: 'annotation',
    attempt: 0,
    source: '/seeds/s',
    now: 0,
  }),
  ...change,
})

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const post = async (url: string, sent: ExtensionEvent, mode: 'binary' | 'structured' = 'binary') => {
  const { headers, body } = eventMessage(sent, mode)
  const answer = await fetch(url, { method: 'POST', headers: { ...headers }, body: Buffer.from(body) })
  return { status: answer.status, text: await answer.text() }
}

describe('registerWithFramework, in the test server of the framework', () => {
  const start = async (): Promise<string> => {
    const server = getTestServer('echo')
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    cleanups.push(async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    })
    const address = server.address()
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
  }

  test.each(['binary', 'structured'] as const)(
    'answers an event in %s mode with 204 and no body',
    async mode => {
      expect(await post(await start(), event(), mode)).toEqual({ status: 204, text: '' })
    },
  )

  test('accepts an event without the data that did not fit', async () => {
    const { data: _, ...large } = event()
    expect((await post(await start(), large)).status).toBe(204)
  })

  test.each([
    [{ reason: 'busy' }, 'busy: retry in 7 s'],
    [{ reason: 'unrecorded' }, 'outcome not recorded: API server unreachable'],
    [{ reason: 'bug' }, 'outcome not recorded: the handler failed'],
    [{ provider: 'google-clouddns' }, 'event refused: not for this function'],
    [{ partitionkey: 'other' }, 'event refused: partitionkey: expected u-1, to match the other attributes'],
  ])('answers 500 to an event with %j and gives the reason', async (change, text) => {
    expect(await post(await start(), event(change))).toEqual({ status: 500, text })
  })
})

describe('the CLI of the functions framework', () => {
  const freePort = async (): Promise<number> => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    server.close()
    await once(server, 'close')
    return typeof address === 'object' && address ? address.port : 0
  }

  /** Resolves once the process has written the text. Rejects if the process ends first. */
  const written = (child: ChildProcess, text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      let output = ''
      const onChunk = (chunk: unknown): void => {
        output += String(chunk)
        if (output.includes(text)) resolve()
      }
      child.stdout?.on('data', onChunk)
      child.stderr?.on('data', onChunk)
      child.once('exit', () => reject(new Error(`ended before it wrote "${text}": ${output}`)))
    })

  test('runs a function from its unmodified source', async () => {
    const port = await freePort()
    const child = spawn(
      process.execPath,
      [
        `${root}node_modules/@google-cloud/functions-framework/build/src/main.js`,
        '--target=echo',
        '--source=shared/runtime/testing/framework-entry.ts',
        '--signature-type=cloudevent',
        `--port=${port}`,
      ],
      { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
    )
    cleanups.push(async () => {
      if (child.exitCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    })
    await written(child, 'URL: ')
    const handled = written(child, `handled ${event().id}`)
    expect(await post(`http://127.0.0.1:${port}/`, event())).toEqual({ status: 204, text: '' })
    await handled
  })
})
