import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { recordEntry, type ServedConsole, serveConsole } from '../testing/served-console.ts'

let served: ServedConsole
beforeEach(async () => {
  served = await serveConsole()
})
afterEach(() => served.close())

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

describe('the page', () => {
  test('may run only its own script, and may not be framed', async () => {
    const { status, headers, body } = await served.get('/')
    expect(status).toBe(200)
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain(`script-src ${hash('run()')};`)
    expect(policy).toContain(`style-src ${hash('body{}')};`)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toContain('unsafe')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['cache-control']).toBe('no-store')
    expect(body).toContain('<script>run()</script>')
  })

  test('is the only one that a link on another site opens', async () => {
    const link = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    }
    expect(await served.get('/?shoot=a', link)).toMatchObject({ status: 200 })
    expect(await served.get('/api/overview', link)).toMatchObject({ status: 403 })
    expect(await served.get('/', { ...link, 'sec-fetch-dest': 'iframe' })).toMatchObject({ status: 403 })
  })
})

describe('a request', () => {
  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('with %s is refused', async method => {
    expect(await served.get('/', {}, method)).toMatchObject({ status: 405 })
  })

  test('with HEAD gets no body', async () => {
    expect(await served.get('/', {}, 'HEAD')).toMatchObject({ status: 200, body: '' })
  })

  test.each([
    [{ host: 'console.evil.example' }],
    [{ host: 'localhost' }],
    [{ host: '127.0.0.1:1' }],
    [{ origin: 'http://evil.example' }],
    [{ origin: 'null' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
  ])('with the headers %o is refused', async headers => {
    for (const path of ['/', '/api/overview', '/api/live', '/api/plan'])
      expect(await served.get(path, headers)).toMatchObject({ status: 403 })
  })

  test('by the name localhost is answered', async () => {
    const host = `localhost:${new URL(served.url).port}`
    expect(await served.get('/api/overview', { host, origin: `http://${host}` })).toMatchObject({
      status: 200,
    })
  })

  test('for an unknown shoot or path gets 404', async () => {
    expect(await served.get('/api/shoot?id=unknown')).toMatchObject({ status: 404 })
    expect(await served.get('/package.json')).toMatchObject({ status: 404 })
  })
})

describe('the live stream', () => {
  test('sends a message that is larger than a page may have unread', async () => {
    const status = { state: 'x'.repeat(12 * 1024 * 1024), last: 'the end' }
    const entry = recordEntry('a', 'Succeeded', 1)
    const streamed = served.stream('/api/live?shoot=a&after=0.0', 'the end')
    served.add({ ...entry, object: { ...Object(entry).object, status } } as typeof entry)
    expect(await streamed).toContain('the end')
  })

  test('sends new states, and the history of the open shoot only', async () => {
    const streamed = served.stream('/api/live?shoot=a&after=0.0', '"Error"')
    served.add(recordEntry('a', 'Processing', 1), recordEntry('b', 'Processing', 1))
    served.add(recordEntry('a', 'Error', 2))
    const text = await streamed
    expect(text).toContain('"id":"b"')
    expect(text).toContain('DNSRecord a/api')
    expect(text).not.toContain('DNSRecord b/api')
  })

  test('continues after the last message of the page', async () => {
    served.add(recordEntry('a', 'Processing', 1))
    const first = await served.stream('/api/live?shoot=a&after=0.0', '"Processing"')
    const [, last = ''] = /id: (\S+)/.exec(first) ?? []
    served.add(recordEntry('a', 'Succeeded', 2))
    const more = await served.stream('/api/live?shoot=a&after=0.0', '"Succeeded"', { 'last-event-id': last })
    expect(more).not.toContain('"Processing"')
  })

  test('refuses more than 32 pages', async () => {
    const open = Array.from({ length: 32 }, () => served.stream('/api/live?after=0.0', 'data: '))
    await expect
      .poll(async () => (await served.get('/api/live?after=0.0')).status, { timeout: 20_000 })
      .toBe(503)
    served.add(recordEntry('a', 'Processing', 1))
    await Promise.all(open)
  })
})

test('a console that has forgotten its past tells its pages to start again', async () => {
  const small = await serveConsole({ mostEntries: 3 })
  try {
    const streamed = small.stream('/api/live?shoot=a&after=0.0', 'reset')
    for (let second = 1; second <= 5; second++) small.add(recordEntry('a', 'Processing', second))
    expect(await streamed).toContain('event: reset')
    const overview = JSON.parse((await small.get('/api/overview')).body)
    expect(overview).toMatchObject({ era: 1, shoots: [{ id: 'a' }] })
    expect(overview.gaps[0].why).toContain('the console keeps 3 entries')
  } finally {
    await small.close()
  }
})

describe('a plan', () => {
  test('is refused with the reason if the console has none', async () => {
    expect(await served.get('/api/plan?object=x')).toMatchObject({ status: 409, body: 'no plans' })
  })

  test('is computed one at a time, and its error is the answer', async () => {
    let finish = (_: string) => {}
    let began = () => {}
    const beginning = new Promise<void>(resolve => {
      began = resolve
    })
    const planning = await serveConsole({
      plan: (id, { destroy }) =>
        id === 'bad'
          ? Promise.reject(new Error('there is no such object'))
          : new Promise(resolve => {
              finish = text => resolve(`${text} ${id} ${destroy}`)
              began()
            }),
    })
    try {
      const first = planning.get('/api/plan?object=Worker+a/b&delete=true')
      await beginning
      expect(await planning.get('/api/plan?object=Worker+a/b')).toMatchObject({ status: 429 })
      finish('plan of')
      expect(await first).toMatchObject({ status: 200, body: 'plan of Worker a/b true' })
      expect(await planning.get('/api/plan?object=bad')).toMatchObject({
        status: 422,
        body: 'there is no such object',
      })
    } finally {
      await planning.close()
    }
  })
})
