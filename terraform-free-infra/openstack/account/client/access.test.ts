import { expect, test } from 'vitest'
import * as z from 'zod'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { OpenStackError } from '../errors/openstack-error.ts'
import { withCodes } from '../errors/step-error.ts'
import { passwordSecret, region, type ScriptedAnswer, scriptedCloud } from '../testing/scripted-cloud.ts'
import { createAccess } from './access.ts'
import { listAll } from './list-all.ts'

const start = Date.parse('2026-11-30T12:00:00Z')

const setUp = (
  script: readonly (ScriptedAnswer | Error)[],
  options: { readonly expires?: string; readonly region?: string; readonly secret?: object } = {},
) => {
  const clock = virtualClock(start)
  const cloud = scriptedCloud(script, options)
  const open = createAccess(cloud.connection, clock)
  const expired = { error: undefined as Error | undefined }
  const access = () =>
    open({
      secret: { ...passwordSecret(), ...options.secret },
      region: options.region ?? region,
      signal: new AbortController().signal,
      throwIfExpired: () => {
        if (expired.error !== undefined) throw expired.error
      },
    })
  /** Lets time pass while the work waits for it. */
  const settled = async <T>(work: Promise<T>): Promise<T> => {
    const over = new AbortController()
    const end = work.finally(() => over.abort()).catch(() => undefined)
    while (!over.signal.aborted) {
      await new Promise(resolve => setImmediate(resolve))
      await clock.advance(1_000)
    }
    await end
    return work
  }
  return { ...cloud, clock, access, expired, settled }
}

const networks = { networks: [{ id: 'n1' }] }
const read = {
  service: 'network',
  method: 'GET',
  path: ['networks'],
  doing: 'listing networks',
  answer: z.object({ networks: z.array(z.object({ id: z.string() })) }),
} as const
const change = { ...read, method: 'POST', doing: 'creating a network', body: { network: {} } } as const

test('a process logs in once for all steps of a project', async () => {
  const { access, logins, requests } = setUp([{ body: networks }])
  await Promise.all([access().call(read), access().call(read)])
  expect(await access().call(read)).toEqual(networks)
  expect(logins()).toBe(1)
  expect(requests.at(-1)?.headers).toMatchObject({ 'x-auth-token': 'token-1' })
  expect(await access().projectId()).toBe('project-1')
})

test('a token that soon expires is not used', async () => {
  const { access, clock, logins } = setUp([{ body: networks }], { expires: '2026-11-30T13:00:00Z' })
  await access().call(read)
  await clock.advance(57 * 60_000)
  await access().call(read)
  expect(logins()).toBe(1)
  await clock.advance(2 * 60_000)
  await access().call(read)
  expect(logins()).toBe(2)
})

test('a revoked token is renewed once', async () => {
  const refused = { status: 401, body: { error: { title: 'Unauthorized', message: 'no' } } }
  const renewed = setUp([{ body: networks }, refused, { body: networks }])
  await renewed.access().call(read)
  expect(await renewed.access().call(read)).toEqual(networks)
  expect(renewed.logins()).toBe(2)

  const never = setUp([refused])
  await expect(never.access().call(read)).rejects.toThrow('listing networks: Unauthorized: no')
  expect(never.logins()).toBe(2)
})

test('the version is added to an endpoint without one', async () => {
  const { access, calls } = setUp([{ body: {} }])
  const step = access()
  for (const service of ['network', 'compute', 'dns', 'load-balancer', 'object-store'] as const)
    await step.call({ service, method: 'GET', path: ['a b', 'c/d'], doing: 'reading' })
  expect(calls()).toEqual([
    'GET /v2.0/a%20b/c%2Fd',
    'GET /v2.1/a%20b/c%2Fd',
    'GET /v2/a%20b/c%2Fd',
    'GET /v2.0/lbaas/a%20b/c%2Fd',
    'GET /v1/AUTH_1/a%20b/c%2Fd',
  ])
})

test('a region and a service that the catalog lacks are problems of the configuration', async () => {
  const elsewhere = setUp([{ body: networks }], { region: 'RegionTwo' })
  await expect(elsewhere.access().call(read)).rejects.toMatchObject({
    message: 'the catalog of OpenStack has no region "RegionTwo"; it has RegionOne',
    codes: ['ERR_CONFIGURATION_PROBLEM'],
  })
  const { access } = setUp([{ body: networks }])
  await expect(access().call({ ...read, service: 'sharev2' })).rejects.toThrow(
    'no public endpoint of the service sharev2 in region RegionOne',
  )
  expect(await access().has('sharev2')).toBe(false)
  expect(await access().has('dns')).toBe(true)
})

const lost = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
const unsent = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

test.each<[string, ScriptedAnswer | Error, typeof read | typeof change, number]>([
  ['a read without an answer', lost, read, 4],
  ['a change without an answer, which may have taken effect', lost, change, 1],
  ['a change that was never sent', unsent, change, 4],
  ['a read that fails in the cloud', { status: 503, body: 'no' }, read, 4],
  ['a change that fails in the cloud', { status: 503, body: 'no' }, change, 1],
  ['a throttled change', { status: 429, body: {} }, change, 4],
  ['a refusal', { status: 404, body: { NeutronError: { type: 'NetworkNotFound', message: 'm' } } }, read, 1],
])('attempts of %s', async (_, answer, call, attempts) => {
  const { access, calls, settled } = setUp([answer])
  await expect(settled(access().call(call))).rejects.toBeInstanceOf(OpenStackError)
  expect(calls()).toHaveLength(attempts)
})

test('a repeated change says so, because an earlier attempt may have taken effect', async () => {
  const { access, settled } = setUp([lost, { status: 409, body: { NeutronError: 'in use' } }])
  await expect(settled(access().call({ ...change, method: 'PUT' }))).rejects.toMatchObject({
    repeated: true,
    status: 409,
  })
})

test('an expired step changes nothing more, and still reads', async () => {
  const { access, calls, expired } = setUp([{ body: networks }])
  expired.error = new Error('expired')
  await expect(access().call(change)).rejects.toBe(expired.error)
  expect(calls()).toEqual([])
  await access().call(read)
})

test('an answer that does not fit names service, path and field', async () => {
  const { access } = setUp([{ body: { networks: [{ name: 'a' }] } }])
  await expect(access().call(read)).rejects.toThrow(
    'listing networks: the answer of network to GET /v2.0/networks is not one of OpenStack: networks[0].id: expected a string, found nothing',
  )
  const page = setUp([{ body: '<html>log in</html>' }])
  await expect(page.access().call(read)).rejects.toThrow('expected an object, found a string')
})

test('throttling asks for another attempt, without a code', async () => {
  const { access, settled } = setUp([{ status: 429, body: {} }])
  const error = await settled(access().call(read)).catch((thrown: unknown) => thrown)
  expect(withCodes(error)).toMatchObject({ name: 'RequeueAfterError', delayMs: 30_000 })
})

test('a list follows the links of its pages, and has each item once', async () => {
  const next = 'http://inside.test/v2.0/networks?limit=2&marker=n2&name=a&name=b'
  const { access, calls } = setUp([
    { body: { networks: [{ id: 'n1' }, { id: 'n2' }], networks_links: [{ rel: 'next', href: next }] } },
    { body: { networks: [{ id: 'n2' }, { id: 'n3' }] } },
  ])
  const items = await listAll(access(), {
    service: 'network',
    path: ['networks'],
    query: { name: ['a', 'b'] },
    member: 'networks',
    item: z.object({ id: z.string() }),
    idOf: ({ id }) => id,
    doing: 'listing networks',
  })
  expect(items.map(({ id }) => id)).toEqual(['n1', 'n2', 'n3'])
  expect(calls()).toEqual([
    'GET /v2.0/networks?name=a&name=b',
    'GET /v2.0/networks?limit=2&marker=n2&name=a&name=b',
  ])
})

test('a list without an end fails', async () => {
  const page = { recordsets: [{ id: 'a' }], links: { next: 'http://cloud.test/v2/recordsets?marker=a' } }
  const { access } = setUp([{ body: page }])
  const list = listAll(access(), {
    service: 'dns',
    path: ['recordsets'],
    member: 'recordsets',
    item: z.object({ id: z.string() }),
    idOf: ({ id }) => id,
    doing: 'listing record sets',
  })
  await expect(list).rejects.toThrow('listing record sets: the list has more than 200 pages')
})

test('an error has neither secrets nor ids of requests', async () => {
  const message = `bad very-secret (req-12345678-1234-1234-1234-123456789012)`
  const { access } = setUp([{ status: 400, body: { badRequest: { code: 400, message } } }])
  await expect(access().call(read)).rejects.toThrow(/^listing networks: badRequest: bad <hidden>$/)
})

test('requests are reported without logins, as operations', async () => {
  const clock = virtualClock(start)
  const cloud = scriptedCloud([{ body: {} }])
  const seen: unknown[] = []
  const open = createAccess({ ...cloud.connection, onRequest: request => seen.push(request) }, clock)
  await open({
    secret: passwordSecret(),
    region,
    signal: new AbortController().signal,
    throwIfExpired: () => {},
  }).call({
    service: 'network',
    method: 'PUT',
    path: ['routers', 'r1', 'add_router_interface'],
    body: { subnet_id: 's1' },
    doing: 'adding an interface',
  })
  expect(seen).toMatchObject([
    { service: 'identity', operation: 'POST auth/tokens', status: '201', args: undefined, write: false },
    { service: 'network', operation: 'PUT routers/{id}/add_router_interface', status: '200', write: true },
  ])
})
