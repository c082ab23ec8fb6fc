import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../../../../shared/clock/clock.ts'
import { createOpenStack, type OpenStackOptions } from '../create-openstack.ts'
import { imageId } from '../furnish.ts'
import { userIdOf } from '../identity/people.ts'
import { clientOf } from '../testing/client.ts'

const key =
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQCQygA7fZfz5LAHOs9zqVXnd+dek6m2TN7iz9s5oidSwpr9Fy6sE7TW1JuEwUeJVsdiHOTCVnfk2gSzRq6/TaKIWJm1mGkE6tno+0GI84yoF60OUc/NMAsxWHE7GvRukr24T/ZEnUZ13Og8If+RZDhZPBHorfFgrK/bDkqimxe90KWcbVPmp1lg2nqVfVwJWcltShdlHlPwkE85wTnV/XBQFZLOeleAc0QK36eYw/qP6DPL2vPg0y8N++EFFnWyBpKtGpxTaiTEtcPF66cnxn93GvhMrtNBTXm/XYWGgFfzNG2BrAL8hyU7ed82/l8aVF0lNNHBxEdS0h8S14e87k8T test'

const setUp = async (options: Partial<OpenStackOptions> = {}, user = 'gardener') => {
  const clock = virtualClock(0)
  const openstack = createOpenStack({ clock, furnished: true, scale: 1, ...options })
  const { call } = await clientOf(openstack, user)
  const nova = (method: string, path: string, body?: unknown, version?: string) =>
    call(
      method,
      `/compute/v2.1/${path}`,
      body,
      version ? { 'openstack-api-version': `compute ${version}` } : {},
    )
  return { clock, openstack, nova }
}

describe('a key pair', () => {
  test('is created, read and deleted with the recorded statuses', async () => {
    const { nova } = await setUp()
    const made = await nova('POST', 'os-keypairs', { keypair: { name: 'a', public_key: key } })
    expect(made).toMatchObject({ status: 200, body: { keypair: { name: 'a', public_key: key } } })
    expect(made.body.keypair).toMatchObject({ fingerprint: expect.stringMatching(/^(?:[0-9a-f]{2}:){15}/) })
    expect((await nova('GET', 'os-keypairs/a')).body).toMatchObject({
      keypair: { user_id: userIdOf('gardener') },
    })
    expect((await nova('GET', 'os-keypairs')).body).toMatchObject({ keypairs: [{ keypair: { name: 'a' } }] })
    expect((await nova('POST', 'os-keypairs', { keypair: { name: 'a', public_key: key } })).body).toEqual({
      conflictingRequest: { code: 409, message: "Key pair 'a' already exists." },
    })
    expect((await nova('DELETE', 'os-keypairs/a')).status).toBe(202)
    expect(await nova('GET', 'os-keypairs/a')).toMatchObject({
      status: 404,
      body: {
        itemNotFound: { code: 404, message: `Keypair a not found for user ${userIdOf('gardener')}` },
      },
    })
  })
  test('belongs to a user', async () => {
    const { nova, openstack } = await setUp()
    await nova('POST', 'os-keypairs', { keypair: { name: 'a', public_key: key } })
    const plain = await clientOf(openstack, 'plain')
    expect((await plain.call('GET', '/compute/v2.1/os-keypairs/a')).status).toBe(404)
  })
  test('with another text is refused', async () => {
    const { nova } = await setUp()
    const { body } = await nova('POST', 'os-keypairs', { keypair: { name: 'a', public_key: 'ssh-rsa AAAA' } })
    expect(body).toMatchObject({
      badRequest: { message: expect.stringContaining('Keypair data is invalid') },
    })
  })
})

describe('a server group', () => {
  const group = (policy: string) => ({ server_group: { name: 'a', policies: [policy] } })

  test('has a list of policies, and from 2.64 one policy', async () => {
    const { nova } = await setUp()
    const { body, status } = await nova('POST', 'os-server-groups', group('soft-affinity'), '2.15')
    expect([status, body.server_group]).toMatchObject([200, { policies: ['soft-affinity'], members: [] }])
    const { id } = body.server_group as { readonly id: string }
    expect((await nova('GET', `os-server-groups/${id}`, undefined, '2.64')).body).toMatchObject({
      server_group: { policy: 'soft-affinity', rules: {} },
    })
    expect((await nova('DELETE', `os-server-groups/${id}`)).status).toBe(204)
    expect((await nova('DELETE', `os-server-groups/${id}`)).body).toEqual({
      itemNotFound: { code: 404, message: `Instance group ${id} could not be found.` },
    })
  })
  test('with an unknown policy gives the recorded error', async () => {
    const { nova } = await setUp()
    expect((await nova('POST', 'os-server-groups', group('nope'), '2.15')).body).toEqual({
      badRequest: {
        code: 400,
        message:
          "Invalid input for field/attribute 0. Value: nope. 'nope' is not one of ['anti-affinity', 'affinity', 'soft-anti-affinity', 'soft-affinity']",
      },
    })
    expect((await nova('POST', 'os-server-groups', group('soft-affinity'))).status).toBe(400)
  })
  test('needs a quota', async () => {
    const { nova } = await setUp({ quotas: { server_groups: 0 } })
    expect(await nova('POST', 'os-server-groups', group('affinity'))).toMatchObject({
      status: 403,
      body: { forbidden: { message: 'Quota exceeded, too many server groups.' } },
    })
  })
})

test('a version that Nova does not have is refused', async () => {
  const { nova } = await setUp({ newestMicroversion: 60 })
  expect(await nova('GET', 'os-server-groups', undefined, '2.64')).toMatchObject({
    status: 406,
    body: {
      computeFault: {
        message: 'Version 2.64 is not supported by the API. Minimum is 2.1 and maximum is 2.60.',
      },
    },
  })
})

describe('a server', () => {
  const withNetwork = async (options?: Partial<OpenStackOptions>) => {
    const set = await setUp(options)
    const network = set.openstack.add('network', { name: 'n' })
    set.openstack.add('subnet', { network_id: network.id, cidr: '10.0.0.0/24' })
    set.openstack.add('securityGroup', { name: 's' })
    const server = {
      name: 'b1',
      flavorRef: '1',
      imageRef: imageId,
      networks: [{ uuid: network.id }],
      security_groups: [{ name: 's' }],
    }
    const boot = (fields: object = {}) => set.nova('POST', 'servers', { server: { ...server, ...fields } })
    return { ...set, network, boot }
  }
  const idOf = ({ body }: { readonly body: Readonly<Record<string, unknown>> }) =>
    (body.server as { readonly id: string }).id

  test('becomes active, has a port, and takes it along', async () => {
    const { nova, boot, clock, openstack } = await withNetwork()
    const made = await boot()
    expect(made.status).toBe(202)
    const id = idOf(made)
    expect((await nova('GET', `servers/${id}`)).body).toMatchObject({
      server: { status: 'BUILD', addresses: {} },
    })
    await clock.advance(20_000)
    expect((await nova('GET', `servers/${id}`)).body).toMatchObject({
      server: {
        status: 'ACTIVE',
        addresses: { n: [{ version: 4, addr: '10.0.0.2', 'OS-EXT-IPS:type': 'fixed' }] },
      },
    })
    const ofServer = () => openstack.resources('port').filter(port => port.device_id === id)
    expect(ofServer()).toMatchObject([{ device_owner: 'compute:nova', status: 'ACTIVE' }])
    expect((await nova('DELETE', `servers/${id}`)).status).toBe(204)
    expect((await nova('GET', `servers/${id}`)).body).toMatchObject({
      server: { 'OS-EXT-STS:task_state': 'deleting' },
    })
    await clock.advance(5_000)
    expect((await nova('GET', `servers/${id}`)).body).toEqual({
      itemNotFound: { code: 404, message: `Instance ${id} could not be found.` },
    })
    expect(ofServer()).toEqual([])
  })
  test('releases a port that existed before it', async () => {
    const { nova, boot, clock, openstack, network } = await withNetwork()
    const port = openstack.add('port', { network_id: network.id, name: 'own' })
    const id = idOf(await boot({ networks: [{ port: port.id }] }))
    expect((await boot({ networks: [{ port: port.id }] })).status).toBe(409)
    await nova('DELETE', `servers/${id}`)
    await clock.advance(5_000)
    expect(openstack.resources('port').find(one => one.id === port.id)).toMatchObject({ device_id: '' })
  })
  test('is listed by a pattern of its name', async () => {
    const { nova, boot } = await withNetwork()
    await boot()
    await boot({ name: 'ab12' })
    const { body } = await nova('GET', 'servers/detail?name=b1')
    expect((body.servers as readonly { readonly name: string }[]).map(({ name }) => name)).toEqual([
      'b1',
      'ab12',
    ])
  })
  test('above the quota gives the recorded error', async () => {
    const { boot } = await withNetwork({ quotas: { instances: 1 } })
    await boot()
    expect((await boot()).body).toEqual({
      forbidden: {
        code: 403,
        message: 'Quota exceeded for instances: Requested 1, but already used 1 of 1 instances',
      },
    })
  })
  test.each([
    [{ flavorRef: '9' }, 'Flavor 9 could not be found.'],
    [{ imageRef: 'none' }, 'Can not find requested image'],
    [{ key_name: 'none' }, 'Invalid key_name provided.'],
    [{ colour: 'red' }, "Additional properties are not allowed ('colour' was unexpected)"],
  ])('with %j is refused', async (fields, message) => {
    const { boot } = await withNetwork()
    expect((await boot(fields)).body).toEqual({ badRequest: { code: 400, message } })
  })
})
