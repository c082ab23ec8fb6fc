import { expect, test } from 'vitest'
import { virtualClock } from '../../../shared/clock/clock.ts'
import { createAccess } from '../../../terraform-free-infra/openstack/account/openstack.ts'
import type { CloudCall } from '../../seed/seed.ts'
import { connectOpenStack } from './connect.ts'
import { parseState } from './parse-state.ts'
import { provider } from './provider.ts'
import { simulateOpenStack } from './simulate.ts'

const secret = { namespace: 'garden', name: 'a', labels: {}, data: provider.credentials }
const signal = new AbortController().signal

const accessTo = (connection: ReturnType<typeof simulateOpenStack>['connection']) =>
  createAccess(
    connection,
    virtualClock(0),
  )({
    secret,
    region: 'RegionOne',
    signal,
    throwIfExpired: () => {},
  })

const creation = {
  service: 'network',
  method: 'POST',
  path: ['networks'],
  body: { network: { name: 'a' } },
  doing: 'creating network a',
} as const

test('the credentials of the provider open its cloud, and a saved state is the same cloud again', async () => {
  const cloud = simulateOpenStack({ clock: virtualClock(0), furnished: true })
  await accessTo(cloud.connection).call(creation)
  const parsed = parseState(JSON.parse(JSON.stringify(cloud.snapshot())))
  if (!parsed.ok) throw new Error(parsed.problem)
  const again = simulateOpenStack({ clock: virtualClock(0), state: parsed.state })
  expect(again.resources('network').map(({ name }) => name)).toContain('a')
  expect(again.snapshot()).toEqual(cloud.snapshot())
  expect(parseState({ regions: { a: { items: { network: [{}] } } } })).toMatchObject({ ok: false })
})

test('calls over the network are reported as those in this process', async () => {
  const cloud = simulateOpenStack({ clock: virtualClock(0) })
  const calls: CloudCall[] = []
  cloud.onCall(call => calls.push(call))
  const { url, close } = await cloud.listen({ port: 0 })
  const seen: CloudCall[] = []
  const connection = await connectOpenStack({ endpoint: url, onCall: call => seen.push(call) })
  await accessTo({ authUrl: '', ...connection }).call(creation)
  await close()
  expect(seen).toMatchObject([
    { service: 'identity', action: 'POST auth/tokens', isRead: true, answer: '201' },
    { service: 'network', action: 'POST networks', isRead: false, about: ' a', answer: '201' },
  ])
  expect(calls.map(({ action, answer }) => [action, answer])).toEqual(
    seen.map(({ action, answer }) => [action, answer]),
  )
  expect(JSON.stringify([seen, calls])).not.toContain('gardener-secret')
  expect(cloud.environment(url)).toEqual({ OS_AUTH_URL: `${url}/identity/v3` })
})

test('a recorded failure occurs again, once', async () => {
  const cloud = simulateOpenStack({ clock: virtualClock(0) })
  cloud.failAgain?.([{ service: 'network', action: 'POST networks', nth: 1, status: 409, code: 'OverQuota' }])
  const access = accessTo(cloud.connection)
  await expect(access.call(creation)).rejects.toMatchObject({ status: 409, code: 'OverQuota' })
  await access.call(creation)
  expect(cloud.resources('network').filter(({ name }) => name === 'a')).toHaveLength(1)
})

test('a record finds its zone, and names of a recording replace those of this cloud', () => {
  const cloud = simulateOpenStack({ clock: virtualClock(0) })
  const id = '11111111-2222-4333-8444-555555555555'
  const object = (zone?: string) => ({
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'DNSRecord',
    metadata: { name: 'a', namespace: 'b' },
    spec: { name: 'api.shoot.example.net' },
    ...(zone !== undefined && { status: { zone } }),
  })
  cloud.prepare(object(), undefined)
  const [zone] = cloud.resources('zone')
  expect(zone?.name).toBe('shoot.example.net.')
  cloud.prepare(object(id), object(zone?.id))
  expect(cloud.resources('zone').map(one => one.id)).toContain(id)
})

test('every random fault can be ordered and withdrawn', () => {
  const cloud = simulateOpenStack({ clock: virtualClock(0) })
  let next = 0
  for (let index = 0; index < 40; index++) {
    const { text, order } = cloud.fault(() => (next = (next + 0.37) % 1))
    expect(text).toMatch(/^the next (?:GET|POST|PUT|DELETE) /)
    order()()
  }
})
