import { expect, onTestFinished, test } from 'vitest'
import { causesAsText, causesOf, readSeed, seedStatus, unpainted } from '../../cli/observe/observe.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import { apiVersion } from '../../shared/contract/constants.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { openstackSeed } from './testing/openstack-seed.ts'
import { serveObjects } from './testing/worker-seed.ts'

type Order = Parameters<Awaited<ReturnType<typeof openstackSeed>>['openstack']['faults']['add']>[0]
const answer = (status: number, body: object): Order['effect'] => ({ kind: 'answer', status, body })

const faults = {
  password: {
    service: 'identity',
    times: 99,
    effect: answer(401, {
      error: {
        code: 401,
        title: 'Unauthorized',
        message: 'The request you have made requires authentication.',
      },
    }),
  },
  role: {
    service: 'network',
    method: 'GET',
    times: 99,
    effect: answer(403, {
      NeutronError: {
        type: 'PolicyNotAuthorized',
        message: 'rule:create_router is disallowed by policy',
        detail: '',
      },
    }),
  },
  pool: {
    service: 'network',
    method: 'POST',
    path: '/routers',
    times: 99,
    effect: answer(409, {
      NeutronError: {
        type: 'ExternalIpAddressExhausted',
        message: 'Unable to find any IP address on external network 5f0b6f0e-0000-4000-8000-0d8f41c6a7b2.',
        detail: '',
      },
    }),
  },
  neutron: { service: 'network', times: 99, effect: answer(503, { message: 'Service Unavailable' }) },
  throttled: {
    service: 'network',
    times: 99,
    effect: { kind: 'answer', status: 429, headers: { 'retry-after': '30' } },
  },
} satisfies Readonly<Record<string, Order>>
/** Fails the first steps of an Infrastructure. */
const failed = async (order: Order): Promise<KubernetesObject> => {
  const { seed, openstack, object } = await openstackSeed(false)
  openstack.faults.add(order)
  const { namespace = '', name } = object.metadata
  const one = seed.object({ namespace, name })
  await one.create(object)
  await one.step()
  const live = await one.live()
  seed.close()
  if (live === undefined) throw new Error('the Infrastructure is gone')
  return live
}

/** Returns the objects of a shoot like `nova`, with other names and ids. */
const shootLike = (object: KubernetesObject, project: string, shoot: string, state: string) => {
  const namespace = `shoot--${project}--${shoot}`
  const text = JSON.stringify({ ...object, kind: 'Infrastructure' })
  const status = { lastOperation: { type: 'Create', state, lastUpdateTime: '2026-01-01T00:00:00Z' } }
  return [
    {
      ...{ apiVersion, kind: 'Cluster', metadata: { name: namespace, uid: shoot } },
      spec: { shoot: { metadata: { name: shoot, namespace: `garden-${project}` }, status } },
    },
    JSON.parse(
      text
        .replaceAll('shoot--garden--nova', namespace)
        .replaceAll('"name":"nova"', `"name":"${shoot}"`)
        .replaceAll(/5f0b6f0e-0000-4000-8000-\w+/g, `5f0b6f0e-0000-4000-8000-${shoot.padEnd(12, '0')}`),
    ),
  ]
}

test('7: what fails, by cause and not by code, with its shoots and their next retries', async () => {
  const [password, role, pool, neutron, throttled] = await Promise.all([
    ...([failed(faults.password), failed(faults.role), failed(faults.pool)] as const),
    ...([failed(faults.neutron), failed(faults.throttled)] as const),
  ])
  const clock = virtualClock(Date.parse('2026-01-01T00:00:02Z'))
  const { server, kubernetes } = serveObjects(clock, [
    ...['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].flatMap((name, index) =>
      shootLike(password, 'shoots', name, index < 3 ? 'Failed' : 'Error'),
    ),
    ...shootLike(role, 'other', 'b', 'Error'),
    ...shootLike(pool, 'shoots', 'c', 'Error'),
    ...shootLike(neutron, 'shoots', 'd', 'Error'),
    ...shootLike(throttled, 'shoots', 'e', 'Processing'),
  ])
  onTestFinished(() => server.close())
  const view = await readSeed({ kubernetes, clock, signal: new AbortController().signal })
  const failing = seedStatus(view).filter(({ state }) => state === 'failed')
  const text = causesAsText(failing, view.at, unpainted)
  expect(causesAsText([], view.at, unpainted)).toBe('Nothing fails.\n')
  expect(causesAsText([], view.at, unpainted, ['Workers'])).toMatch(
    /^\? No shoot was found, but not everything/,
  )
  const causes = text.split(/^✗ /m).slice(1)
  expect(causes.map(cause => cause.split('\n', 1)[0])).toEqual(['6 shoots', '1 shoot', '1 shoot', '1 shoot'])
  const [six = '', one = '', full = '', unavailable = ''] = causes
  expect(six).toContain(
    "fix: the user replaces the credentials in the shoot's Secret and retries the shoot\n",
  )
  expect(six.match(/shoot--shoots--a\d\) {2}Infrastructure a\d, since 00:00:02Z, /g)).toHaveLength(6)
  expect(six.match(/the shoot has failed: its objects are held/g)).toHaveLength(3)
  expect(six.match(/next: retry 1 of reconcile at 00:00:03Z, in 1 s/g)).toHaveLength(3)
  expect(one).toMatch(/ERR_INFRA_UNAUTHORIZED: .*PolicyNotAuthorized/)
  expect(one).toContain('fix: the user allows the refused call to the credentials')
  expect(one).toContain('(shoot--other--b)  Infrastructure b')
  expect(full).toMatch(/ExternalIpAddressExhausted.*\n +fix: no action: it is retried/)
  expect(unavailable).toMatch(/Service Unavailable\n +fix: the cloud fails.* it is retried/)
  for (const cause of [one, full, unavailable])
    expect(cause).toMatch(/since 00:.*, next: retry 1 of reconcile at/)
  expect(text).toMatch(/\n4 causes\. 9 shoots: 9 failing, 0 fine\.\n$/)
  expect(text).not.toContain('shoot--shoots--e')
  expect(causesOf(failing).map(({ failures }) => failures.length)).toEqual([6, 1, 1, 1])
})
