import { describe, expect, test } from 'vitest'
import { virtualClock } from '../clock/clock.ts'
import { createKubernetes } from './client.ts'
import { ConnectionError, type GroupVersionResource, type Kubernetes, KubernetesError } from './port.ts'
import type { Transport, TransportRequest, TransportResponse } from './transport/transport.ts'

const widgets: GroupVersionResource = {
  group: 'example.com',
  version: 'v1',
  plural: 'widgets',
  namespaced: true,
}
const key = { namespace: 'foo', name: 'a' }
const object = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a', namespace: 'foo' } }

type ScriptedAnswer = TransportResponse | Error | 'hang'

const answer = (
  status: number,
  body: object | string,
  headers: Record<string, string> = {},
): TransportResponse => ({
  status,
  headers,
  body: chunks([typeof body === 'string' ? body : JSON.stringify(body)]),
})

async function* chunks(parts: readonly (string | Uint8Array | Error)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) throw part
    yield typeof part === 'string' ? new TextEncoder().encode(part) : part
  }
}

const status = (code: number, reason: string, extra: object = {}) => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  message: `it is ${reason}`,
  reason,
  code,
  ...extra,
})

const reset = () => new ConnectionError('reset', { cause: undefined, sent: true })
const refused = () => new ConnectionError('refused', { cause: undefined, sent: false })

/** A client with a server that plays the steps in order and repeats the last one. */
const scripted = (steps: readonly (() => ScriptedAnswer)[]) => {
  const clock = virtualClock(0)
  const requests: TransportRequest[] = []
  const times: number[] = []
  const transport: Transport = async request => {
    const step = (steps[Math.min(requests.length, steps.length - 1)] ?? (() => 'hang' as const))()
    requests.push(request)
    times.push(clock.now())
    if (step instanceof Error) throw step
    if (step !== 'hang') return step
    return new Promise((_, reject) => {
      request.signal?.addEventListener('abort', () => reject(request.signal?.reason))
    })
  }
  return { clock, requests, times, kubernetes: createKubernetes({ transport, clock, random: () => 0.5 }) }
}

const read = (kubernetes: Kubernetes) => kubernetes.get(widgets, key)
const write = (kubernetes: Kubernetes) => kubernetes.patch(widgets, key, { spec: { a: 1 } })

describe('retries of requests', () => {
  const cases: readonly {
    readonly what: string
    readonly failure: () => ScriptedAnswer
    readonly reads: number
    readonly writes: number
  }[] = [
    { what: '409 Conflict', failure: () => answer(409, status(409, 'Conflict')), reads: 1, writes: 1 },
    { what: '422 Invalid', failure: () => answer(422, status(422, 'Invalid')), reads: 1, writes: 1 },
    { what: '410 Expired', failure: () => answer(410, status(410, 'Expired')), reads: 1, writes: 1 },
    { what: '403 Forbidden', failure: () => answer(403, status(403, 'Forbidden')), reads: 1, writes: 1 },
    { what: '429', failure: () => answer(429, status(429, 'TooManyRequests')), reads: 5, writes: 5 },
    { what: '500', failure: () => answer(500, status(500, 'InternalError')), reads: 5, writes: 1 },
    { what: '503 of a proxy', failure: () => answer(503, '<html>'), reads: 5, writes: 1 },
    { what: 'a reset connection', failure: reset, reads: 5, writes: 1 },
    { what: 'a refused connection', failure: refused, reads: 5, writes: 5 },
    { what: 'half an answer', failure: () => answer(200, '{"kind":'), reads: 5, writes: 1 },
  ]

  test.each(cases)(
    '$what: a read is tried $reads times, a write $writes times',
    async ({ failure, reads, writes }) => {
      for (const [call, tries] of [
        [read, reads],
        [write, writes],
      ] as const) {
        const { clock, requests, kubernetes } = scripted([failure])
        const outcome = call(kubernetes).then(
          () => 'done',
          (error: unknown) => error,
        )
        await clock.advance(60_000)
        expect(await outcome).toBeInstanceOf(Error)
        expect(requests).toHaveLength(tries)
      }
    },
  )

  test('the waits grow and have jitter', async () => {
    const { clock, times, kubernetes } = scripted([reset])
    const outcome = expect(read(kubernetes)).rejects.toBeInstanceOf(ConnectionError)
    await clock.advance(60_000)
    await outcome
    expect(times).toEqual([0, 100, 300, 700, 1_500])
  })

  test('Retry-After is respected', async () => {
    const busy = () => answer(429, status(429, 'TooManyRequests'), { 'retry-after': '7' })
    const { clock, times, kubernetes } = scripted([busy, () => answer(200, object)])
    const outcome = write(kubernetes)
    await clock.advance(10_000)
    expect(await outcome).toEqual(object)
    expect(times).toEqual([0, 7_000])
  })

  test('a server with a too long Retry-After fails at once', async () => {
    const busy = () => answer(429, status(429, 'TooManyRequests', { details: { retryAfterSeconds: 300 } }))
    const { requests, kubernetes } = scripted([busy])
    await expect(write(kubernetes)).rejects.toMatchObject({ status: 429, retryAfterSeconds: 300 })
    expect(requests).toHaveLength(1)
  })

  test('the wait ends with the signal', async () => {
    const { clock, requests, kubernetes } = scripted([reset])
    const controller = new AbortController()
    const outcome = kubernetes.get(widgets, key, { signal: controller.signal })
    const reason = new Error('enough')
    const rejected = expect(outcome).rejects.toBe(reason)
    await clock.advance(50)
    controller.abort(reason)
    await rejected
    expect(requests).toHaveLength(1)
    expect(clock.pending()).toEqual([])
  })

  test('an aborted signal sends nothing', async () => {
    const { requests, kubernetes } = scripted([() => answer(200, object)])
    await expect(kubernetes.get(widgets, key, { signal: AbortSignal.abort('gone') })).rejects.toBe('gone')
    expect(requests).toHaveLength(0)
  })
})

describe('the time limit', () => {
  test('a timeout of a write is a connection error that may have been acted on', async () => {
    const { clock, kubernetes } = scripted([() => 'hang'])
    const outcome = expect(write(kubernetes)).rejects.toMatchObject({ name: 'ConnectionError', sent: true })
    await clock.advance(30_000)
    await outcome
    expect(clock.pending()).toEqual([])
  })

  test('a timeout of a read is retried', async () => {
    const { clock, times, kubernetes } = scripted([() => 'hang', () => answer(200, object)])
    const outcome = read(kubernetes)
    await clock.advance(31_000)
    expect(await outcome).toEqual(object)
    expect(times).toEqual([0, 30_100])
  })

  test('a response leaves no timer behind', async () => {
    const { clock, kubernetes } = scripted([() => answer(200, object)])
    await read(kubernetes)
    expect(clock.pending()).toEqual([])
  })
})

describe('errors', () => {
  test('errors have the message of the server', async () => {
    const { kubernetes } = scripted([() => answer(409, status(409, 'Conflict'))])
    const error = await write(kubernetes).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(KubernetesError)
    expect(error).toMatchObject({ status: 409, reason: 'Conflict', message: 'it is Conflict' })
  })

  test('a 404 for the object is undefined, a 404 for the path is an error', async () => {
    const { kubernetes } = scripted([
      () => answer(404, status(404, 'NotFound')),
      () => answer(404, '404 page not found\n'),
    ])
    expect(await read(kubernetes)).toBeUndefined()
    await expect(read(kubernetes)).rejects.toMatchObject({ status: 404, message: '404 page not found' })
  })

  test('a delete accepts a missing object, but not a resource that is not served', async () => {
    const { kubernetes } = scripted([
      () => answer(404, status(404, 'NotFound')),
      () => answer(404, '404 page not found\n'),
    ])
    await kubernetes.delete(widgets, key)
    await expect(kubernetes.delete(widgets, key)).rejects.toMatchObject({ status: 404 })
  })

  test('a key with the wrong scope is an error of the caller', () => {
    const { kubernetes, requests } = scripted([() => answer(200, object)])
    expect(() => kubernetes.get(widgets, { name: 'a' })).toThrow(TypeError)
    expect(() => kubernetes.create(widgets, { ...object, metadata: { name: 'a' } })).toThrow(TypeError)
    expect(requests).toEqual([])
  })
})

describe('reading a watch', () => {
  const line = (type: string, name: string): string =>
    `${JSON.stringify({ type, object: { ...object, metadata: { name, resourceVersion: '5' } } })}\n`

  const events = async (parts: readonly (string | Uint8Array | Error)[]): Promise<readonly string[]> => {
    const { kubernetes } = scripted([() => ({ status: 200, headers: {}, body: chunks(parts) })])
    const seen: string[] = []
    try {
      for await (const event of kubernetes.watch(widgets, { namespace: 'foo' })) {
        seen.push(event.type === 'bookmark' ? event.type : event.object.metadata.name)
      }
    } catch (error) {
      const { name, status: code = '' } = error as KubernetesError
      seen.push(`${name} ${code}`.trim())
    }
    return seen
  }

  test('lines may arrive in any pieces', async () => {
    const bytes = new TextEncoder().encode(
      line('ADDED', 'größe') + line('MODIFIED', 'b') + line('DELETED', 'c'),
    )
    for (const size of [1, 2, 3, 7, 50, 1_000]) {
      const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      )
      expect(await events(parts), `pieces of ${size}`).toEqual(['größe', 'b', 'c'])
    }
  })

  test('an ERROR line throws its status', async () => {
    const error = `${JSON.stringify({ type: 'ERROR', object: status(410, 'Expired') })}\n`
    expect(await events([line('ADDED', 'a'), error])).toEqual(['a', 'KubernetesError 410'])
  })

  test('a stream that ends within a line is a broken connection', async () => {
    expect(await events([line('ADDED', 'a'), '{"type":"ADD'])).toEqual(['a', 'ConnectionError'])
  })

  test('a stream that is reset is a broken connection', async () => {
    expect(await events([line('ADDED', 'a'), reset()])).toEqual(['a', 'ConnectionError'])
  })

  test('a line that is not JSON is a broken connection', async () => {
    expect(await events(['<html>\n'])).toEqual(['ConnectionError'])
  })

  test('opening a watch is retried like a read', async () => {
    const { clock, requests, kubernetes } = scripted([
      () => answer(503, status(503, 'ServiceUnavailable')),
      reset,
      () => ({ status: 200, headers: {}, body: chunks([line('ADDED', 'a')]) }),
    ])
    const seen = (async () => {
      const names: string[] = []
      for await (const event of kubernetes.watch(widgets)) names.push(event.type)
      return names
    })()
    await clock.advance(1_000)
    expect(await seen).toEqual(['added'])
    expect(requests).toHaveLength(3)
    expect(clock.pending()).toEqual([])
  })

  test('leaving a watch closes the connection', async () => {
    const { requests, kubernetes } = scripted([
      () => ({ status: 200, headers: {}, body: chunks([line('ADDED', 'a'), line('ADDED', 'b')]) }),
    ])
    for await (const _ of kubernetes.watch(widgets)) break
    expect(requests[0]?.signal?.aborted).toBe(true)
  })
})

describe('a page that is read in pieces', () => {
  const page =
    '{"apiVersion":"v1","items":[{"metadata":{"name":"a"}},{"apiVersion":"v2","kind":"B","metadata":{"name":"b"}}],'
  const end = '"kind":"ThingList","metadata":{"resourceVersion":"5","continue":"t"}}'
  const reading = (steps: readonly (() => ScriptedAnswer)[]) => {
    const { clock, requests, kubernetes } = scripted(steps)
    const given: string[] = []
    const each = ({ kind, metadata }: { kind: string; metadata: { name: string } }) =>
      given.push(`${kind} ${metadata.name}`)
    const list = kubernetes.list(widgets, { each })
    list.catch(() => undefined)
    return { clock, requests, given, list }
  }
  const pieces = (parts: readonly (string | Error)[]) => () => ({ ...answer(200, ''), body: chunks(parts) })

  test('objects with a kind are returned at once, and objects that need the kind of the list at its end', async () => {
    const { given, list } = reading([pieces([page, end])])
    const { items, bytes, ...rest } = await list
    expect(given).toEqual(['B b'])
    expect(items).toEqual([{ apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a' } }])
    expect([rest, bytes]).toEqual([{ resourceVersion: '5', continue: 't' }, page.length + end.length])
  })

  test.each([
    ['within an object', [page.slice(0, -20)]],
    ['after its objects', [page]],
    ['by a reset', [page, reset()]],
  ])(
    'a page that breaks off %s is a connection error without a retry, because it has returned objects',
    async (_, parts) => {
      const { clock, requests, list } = reading([pieces(parts)])
      await clock.advance(60_000)
      await expect(list).rejects.toBeInstanceOf(ConnectionError)
      expect(requests).toHaveLength(1)
    },
  )

  test('a page is retried until its head arrives', async () => {
    const { clock, requests, list } = reading([reset, () => answer(500, 'no'), pieces([page, end])])
    await clock.advance(60_000)
    await list
    expect(requests).toHaveLength(3)
  })

  test('a page may take long, but no silence may exceed the timeout of a request', async () => {
    let giveMore: () => void = () => undefined
    async function* slow() {
      for (const part of [page, end.slice(0, 10), end.slice(10)]) {
        yield new TextEncoder().encode(part)
        await new Promise<void>(resolve => {
          giveMore = resolve
        })
      }
    }
    const { clock, list } = reading([() => ({ ...answer(200, ''), body: slow() })])
    for (let piece = 0; piece < 2; piece++) {
      await clock.advance(29_000)
      giveMore()
    }
    await clock.advance(31_000)
    await expect(list).rejects.toThrow('no data for 30 s')
    expect(clock.pending()).toEqual([])
  })
})
