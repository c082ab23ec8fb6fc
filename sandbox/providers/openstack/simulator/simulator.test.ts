import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { createAccess, listAll } from '../../../../terraform-free-infra/openstack/account/openstack.ts'
import { createOpenStack, type OpenStackOptions } from './create-openstack.ts'
import { clientOf } from './testing/client.ts'

const setUp = async (options: Partial<OpenStackOptions> = {}) => {
  const clock = virtualClock(0)
  const openstack = createOpenStack({ clock, scale: 1, ...options })
  const { call } = await clientOf(openstack)
  const make = (name: string) => call('POST', '/network/v2.0/networks', { network: { name } })
  const names = () => openstack.resources('network').map(network => network.name)
  return { clock, openstack, call, make, names }
}

describe('a fault', () => {
  test('breaks the connection before or after a request takes effect', async () => {
    const { openstack, make, names } = await setUp()
    openstack.faults.add({ method: 'POST', path: '/networks', effect: { kind: 'drop' } })
    await expect(make('a')).rejects.toMatchObject({ code: 'ECONNRESET' })
    openstack.faults.add({ method: 'POST', when: 'after', effect: { kind: 'drop' } })
    await expect(make('b')).rejects.toMatchObject({ code: 'ECONNRESET' })
    await make('c')
    expect(names()).toEqual(['b', 'c'])
  })
  test('answers in place of the service, for some requests', async () => {
    const { openstack, make, names } = await setUp()
    openstack.faults.add({ service: 'network', nth: 2, times: 2, effect: { kind: 'answer', status: 503 } })
    const statuses: number[] = []
    for (const name of ['a', 'b', 'c', 'd']) statuses.push((await make(name)).status)
    expect([statuses, names()]).toEqual([
      [201, 503, 503, 201],
      ['a', 'd'],
    ])
  })
  test('delays an answer by the clock, and is withdrawn', async () => {
    const { openstack, make, names, clock } = await setUp()
    openstack.faults.add({ effect: { kind: 'delay', ms: 1_000 } })
    const made = make('a')
    await clock.advance(999)
    expect(names()).toEqual([])
    await clock.advance(1)
    expect((await made).status).toBe(201)
    openstack.faults.add({ effect: { kind: 'drop' } })()
    expect((await make('b')).status).toBe(201)
  })
})

test('a list with awkward pages has all items, some twice, in another order each time', async () => {
  const { openstack } = await setUp({ lists: { seed: 3, repeated: 0.5 } })
  const all = Array.from({ length: 12 }, (_, index) => openstack.add('network', { name: `n${index}` }).name)
  const { call } = await clientOf(openstack)
  const read = async () => {
    const seen: string[] = []
    let path: string | undefined = '/network/v2.0/networks'
    while (path !== undefined) {
      const { body } = await call('GET', path)
      seen.push(...(body.networks as readonly { readonly name: string }[]).map(({ name }) => name))
      const [next] = (body.networks_links ?? []) as readonly { readonly href: string }[]
      path = next?.href
    }
    return seen
  }
  const [first, second] = [await read(), await read()]
  expect([...new Set(first)].toSorted()).toEqual(all.toSorted())
  expect(first.length).toBeGreaterThan(all.length)
  expect(second).not.toEqual(first)
})

test('the client of the functions reads all pages of every service', async () => {
  const { openstack, clock } = await setUp({ furnished: true, lists: { seed: 1, most: 2 } })
  const data = { domainName: 'acme', tenantName: 'shoots', username: 'gardener', password: 'gardener-secret' }
  const access = createAccess(
    openstack.connection,
    clock,
  )({
    secret: { namespace: '', name: 'a', labels: {}, data },
    region: 'RegionOne',
    signal: new AbortController().signal,
    throwIfExpired: () => {},
  })
  const named = z.object({ id: z.string(), name: z.string() })
  for (const [service, path, kind] of [
    ['network', 'networks', 'network'],
    ['compute', 'flavors', 'flavor'],
    ['dns', 'zones', 'zone'],
  ] as const) {
    const found = await listAll(access, {
      service,
      path: [path],
      member: path,
      item: named,
      idOf: ({ id }) => id,
      doing: 'listing',
    })
    expect(found.map(({ id }) => id).toSorted()).toEqual(
      openstack
        .resources(kind)
        .map(({ id }) => id)
        .toSorted(),
    )
  }
})

test('equal bytes give equal ids, and a restored state is the former one', async () => {
  const lives = await Promise.all(
    [0, 1].map(async () => {
      let next = 0
      const bytes = (count: number) => Uint8Array.from({ length: count }, () => next++ % 256)
      const { make, openstack } = await setUp({ bytes, furnished: true })
      await make('a')
      return openstack
    }),
  )
  expect(lives[0]?.snapshot()).toEqual(lives[1]?.snapshot())
  const { openstack, make } = await setUp()
  const before = openstack.snapshot()
  await make('a')
  openstack.restore(before)
  expect(openstack.snapshot()).toEqual(before)
})

describe('a load balancer', () => {
  const make = async () => {
    const { openstack, clock } = await setUp()
    const network = openstack.add('network', {})
    const subnet = openstack.add('subnet', { network_id: network.id, cidr: '10.0.0.0/24' })
    const { call } = await clientOf(openstack)
    const octavia = (method: string, path = '', body?: unknown) =>
      call(method, `/load-balancer/v2.0/lbaas/loadbalancers${path}`, body)
    const { body } = await octavia('POST', '', { loadbalancer: { name: 'a', vip_subnet_id: subnet.id } })
    const { id } = body.loadbalancer as { readonly id: string }
    return { openstack, clock, octavia, id, network, subnet, call }
  }

  test('is immutable while it is pending, and holds a port in its network', async () => {
    const { octavia, id, clock, network, call, subnet } = await make()
    expect((await octavia('DELETE', `/${id}`)).body).toEqual({
      faultcode: 'Client',
      faultstring: `Invalid state PENDING_CREATE of loadbalancer resource ${id}`,
      debuginfo: null,
    })
    expect((await call('DELETE', `/network/v2.0/networks/${network.id}`)).status).toBe(409)
    await clock.advance(60_000)
    expect((await octavia('GET', `?vip_subnet_id=${subnet.id}`)).body.loadbalancers).toMatchObject([
      { id, provisioning_status: 'ACTIVE' },
    ])
    expect((await octavia('DELETE', `/${id}`)).status).toBe(204)
    await clock.advance(20_000)
    expect(await octavia('GET', `/${id}`)).toMatchObject({
      status: 404,
      body: { faultcode: 'Client', faultstring: `Load Balancer ${id} not found.`, debuginfo: null },
    })
    expect((await call('DELETE', `/network/v2.0/networks/${network.id}`)).status).toBe(204)
  })
  test('with a listener needs a cascade', async () => {
    const { octavia, id, clock, openstack } = await make()
    await clock.advance(60_000)
    openstack.add('listener', { loadbalancer_id: id, protocol: 'TCP', protocol_port: 80 })
    expect((await octavia('DELETE', `/${id}`)).status).toBe(400)
    expect((await octavia('DELETE', `/${id}?cascade=true`)).status).toBe(204)
    await clock.advance(20_000)
    expect(openstack.resources('listener')).toEqual([])
  })
})

test('a share network is created, found by name, and deleted', async () => {
  const { call } = await setUp()
  const manila = (method: string, path: string, body?: unknown) =>
    call(method, `/share/v2/share-networks${path}`, body)
  const { body, status } = await manila('POST', '', { share_network: { name: 'a' } })
  expect(status).toBe(200)
  const { id } = body.share_network as { readonly id: string }
  expect((await manila('GET', '/detail?name=a')).body.share_networks).toMatchObject([{ id, name: 'a' }])
  expect((await manila('DELETE', `/${id}`)).status).toBe(202)
  expect((await manila('GET', `/${id}`)).status).toBe(404)
})
