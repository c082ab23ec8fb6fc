import { once } from 'node:events'
import { request as httpsRequest } from 'node:https'
import { describe, expect, test, vi } from 'vitest'
import { reviewBody } from '../../../sandbox/reviews/reviews.ts'
import { tinyWebhook } from '../admission/testing/tiny-webhook.ts'
import { object, review, useWebhookSeed } from './testing/use-webhook-seed.ts'
import { namespace } from './testing/webhook-seed.ts'

const begin = useWebhookSeed()

describe('a request', () => {
  test.each<[string, string]>([
    ['of another provider', '/other/tiny'],
    ['without a webhook', '/tiny'],
    ['with too much', '/tiny/tiny/shoot--a--b'],
    ['at the root', '/'],
  ])('to an unknown path is answered 404: %s', async (_, path) => {
    const { start, ask, trusted } = await begin()
    const replica = await start()
    await replica.registered
    expect(await ask(replica, path, review, { ca: await trusted() })).toMatchObject({ status: 404 })
  })

  test('that is no review is answered 400 with one line', async () => {
    const { start, ask } = await begin()
    const replica = await start()
    await replica.registered
    expect(await ask(replica, '/tiny/tiny', 'PLANTED')).toEqual({
      status: 400,
      body: 'the body is not a JSON object\n',
    })
  })

  test('to an unknown path is answered before its body arrives', async () => {
    const { start, trusted } = await begin()
    const replica = await start()
    await replica.registered
    const request = httpsRequest({
      host: '127.0.0.1',
      port: replica.port,
      path: '/nobody/there',
      method: 'POST',
      ca: await trusted(),
      servername: `gardener-extension-provider-tiny.${namespace}.svc`,
      headers: { 'content-length': 7_000_000 },
      agent: false,
    })
    request.on('error', () => undefined)
    request.flushHeaders()
    const [response] = await once(request, 'response')
    expect(response.statusCode).toBe(404)
    expect(response.headers.connection).toBe('close')
    request.destroy()
  })

  test('waits, unread, while three of the largest are in progress', async () => {
    const gate = Promise.withResolvers<void>()
    let underWay = 0
    let most = 0
    const slow = tinyWebhook({
      review: async () => {
        most = Math.max(most, ++underWay)
        await gate.promise
        underWay--
        return {}
      },
    })
    const { start, ask } = await begin([slow])
    const replica = await start()
    await replica.registered
    const large = { ...object, data: { x: 'x'.repeat(7_000_000) } }
    const body = reviewBody(slow, { operation: 'CREATE', object: large })
    const asked = Array.from({ length: 8 }, () => ask(replica, '/tiny/tiny', body))
    await vi.waitFor(() => expect(underWay).toBe(3), { timeout: 60_000 })
    gate.resolve()
    const answers = await Promise.all(asked)
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    expect(most).toBeLessThanOrEqual(3)
  })

  test('with a new and an old object of 3 MB is answered', async () => {
    const { start, ask } = await begin()
    const replica = await start()
    await replica.registered
    const large = { ...object, data: { x: 'x'.repeat(3 * 1024 * 1024) } }
    const { status } = await ask(
      replica,
      '/tiny/tiny',
      reviewBody(tinyWebhook(), { operation: 'UPDATE', object: large, oldObject: large }),
    )
    expect(status).toBe(200)
  })

  test('that is too large is refused with 413', async () => {
    const { start, ask } = await begin()
    const replica = await start()
    await replica.registered
    expect(await ask(replica, '/tiny/tiny', 'x'.repeat(8 * 1024 * 1024))).toMatchObject({ status: 413 })
    expect(await ask(replica, '/tiny/tiny', review)).toMatchObject({ status: 200 })
  })

  test('with more objects than fit into memory is refused with 413', async () => {
    const { start, ask } = await begin()
    const replica = await start()
    await replica.registered
    const dense = (count: number) => ({ ...object, data: Array.from({ length: count }, () => ({})) })
    const reviewOf = (count: number) =>
      reviewBody(tinyWebhook(), { operation: 'CREATE', object: dense(count) })
    expect(await ask(replica, '/tiny/tiny', reviewOf(300_000))).toEqual({
      status: 413,
      body: 'the review has too many objects and lists for its length\n',
    })
    expect(await ask(replica, '/tiny/tiny', reviewOf(200_000))).toMatchObject({ status: 200 })
  })

  test('logs nothing of the object', async () => {
    const quotes = tinyWebhook({
      review: ({ object: { data } }) => JSON.parse(String(Reflect.get(Object(data), 'x'))),
    })
    const { start, ask, log } = await begin([quotes])
    const replica = await start()
    await replica.registered
    const secret = { ...object, data: { x: 'PLANTED' } }
    const { body } = await ask(
      replica,
      '/tiny/tiny',
      reviewBody(quotes, { operation: 'CREATE', object: secret }),
    )
    expect(JSON.parse(body)).toMatchObject({ response: { allowed: false, status: { code: 500 } } })
    expect(log.map(({ message }) => message)).toContain('review failed')
    expect(JSON.stringify([log, body])).not.toContain('PLANTED')
  })
})
