import { describe, expect, test } from 'vitest'
import { codesOf } from '../../../shared/contract/classify.ts'
import { blocks, clusterOf, namespace, userData } from './testing/shoot-network.ts'
import {
  base,
  errorOf,
  expectNothingLeft,
  imageOfRegion,
  secretData,
  setUp,
  stepsOver,
} from './testing/steps.ts'

const mark = 'trellis.gardener.cloud/created-for=bastion-uid'
const ssh = { protocol: 'tcp', port_range_min: 22, port_range_max: 22 }

type World = Awaited<ReturnType<typeof setUp>>

const ownRanges = ({ groups, rules }: World): readonly (string | null)[] =>
  rules()
    .filter(({ security_group_id: id, direction }) => id === groups()[0]?.id && direction === 'ingress')
    .map(({ remote_ip_prefix }) => remote_ip_prefix)
    .toSorted()

const nodesRules = ({ rules, network, groups }: World) =>
  rules().filter(
    ({ security_group_id: id, remote_group_id: from }) =>
      id === network.nodesGroupId && from !== null && from === groups()[0]?.id,
  )

describe('a bastion that is created', () => {
  test('is a server in its own group, with a floating IP and access to the nodes', async () => {
    const world = await setUp()
    const { until, groups, servers, addresses, network, status } = world
    const waits = await until('reconcile')
    expect(waits).toContain(`Waiting for server ${base} to become available`)
    expect(groups()).toMatchObject([{ name: `${base}-sg`, description: `${base}-sg ${mark}` }])
    const [group] = groups()
    expect(ownRanges(world)).toEqual(['1.2.3.4/32'])
    const egress = { ...ssh, direction: 'egress', remote_group_id: network.nodesGroupId }
    expect(world.rules()).toContainEqual(
      expect.objectContaining({
        ...egress,
        security_group_id: group?.id,
        description: `${base}-egress-worker`,
      }),
    )
    expect(nodesRules(world)).toMatchObject([{ ...ssh, description: `${base}-allow-ssh` }])
    expect(servers()).toMatchObject([
      {
        name: base,
        flavor: '1',
        user_data: userData,
        security_groups: [group?.id],
        metadata: { 'trellis.gardener.cloud-created-for': 'bastion-uid' },
      },
    ])
    const [address] = addresses()
    expect(address).toMatchObject({ description: base, floating_network_id: network.floatingNetworkId })
    expect(address?.port_id).not.toBeNull()
    expect(status()?.ingress).toEqual({ ip: address?.floating_ip_address })
  })

  test('starts the server after all rules are there, and takes no write once nothing differs', async () => {
    const { until, calls, writes, mark: markOf } = await setUp()
    await until('reconcile')
    const all = writes()
    const started = all.findIndex(call => call.includes('/servers'))
    expect(all.slice(0, started)).toHaveLength(4)
    expect(all.slice(started).filter(call => call.includes('security-group'))).toEqual([])
    const from = markOf()
    await until('reconcile')
    expect(writes(from)).toEqual([])
    expect(calls(from)).toHaveLength(4)
  })

  test('of the Go extension is taken over without a write', async () => {
    const { cloud, until, mark: markOf, writes, network, servers, groups, addresses } = await setUp()
    const group = cloud.add('securityGroup', { name: `${base}-sg`, description: `${base}-sg` })
    const rule = { ...ssh, ethertype: 'IPv4', description: `${base}-allow-ssh`, direction: 'ingress' }
    for (const fields of [
      { ...rule, security_group_id: group.id, remote_ip_prefix: '1.2.3.4/32' },
      { ...rule, security_group_id: group.id, direction: 'egress', remote_group_id: network.nodesGroupId },
      { ...rule, security_group_id: network.nodesGroupId, remote_group_id: group.id },
    ])
      cloud.add('securityGroupRule', fields)
    const [image] = cloud.resources('image')
    const server = cloud.add('server', {
      name: base,
      flavorRef: '1',
      imageRef: image?.id,
      networks: [{ uuid: network.networkId }],
      security_groups: [{ name: group.id }],
    })
    cloud.put('server', server.id, { status: 'ACTIVE' })
    const port = cloud.resources('port').find(({ device_id }) => device_id === server.id)
    const address = cloud.add('floatingIp', {
      description: base,
      floating_network_id: network.floatingNetworkId,
      port_id: port?.id,
    })
    cloud.put('floatingIp', address.id, { status: 'ACTIVE' })
    const from = markOf()
    await until('reconcile')
    expect(writes(from)).toEqual([])
    await until('remove')
    expect([...servers(), ...groups(), ...addresses()]).toEqual([])
  })

  test('works in an own network of any name (D14)', async () => {
    const world = await setUp({}, {}, { networkName: 'corporate' })
    await world.until('reconcile')
    expect(world.status()?.ingress).toEqual({ ip: world.addresses()[0]?.floating_ip_address })
  })

  test('is in the region of the shoot (D2)', async () => {
    const world = await setUp({}, { cluster: clusterOf(imageOfRegion, 'elsewhere') })
    const error = await errorOf(world.step('reconcile'))
    expect(error.message).toContain('has no region "elsewhere"')
  })

  test('reads the network from the Worker if the Infrastructure has no status', async () => {
    const { cloud, clock, infrastructure } = await setUp()
    const worker = {
      apiVersion: 'extensions.gardener.cloud/v1alpha1',
      kind: 'Worker',
      metadata: { name: 'bar', namespace },
      spec: { infrastructureProviderStatus: Object(infrastructure.status).providerStatus },
    }
    await stepsOver(cloud.connection, clock, {}, { worker }).until('reconcile')
    expect(cloud.resources('server')).toHaveLength(1)
  })

  test('finds an image by its name', async () => {
    const { until, servers } = await setUp({}, { cluster: clusterOf({ image: 'gardenlinux-1877.3.0' }) })
    await until('reconcile')
    expect(servers()).toHaveLength(1)
  })

  test.each([
    [clusterOf({}), /providerConfig\.machineImages: expected an image of gardenlinux 1877\.3\.0/],
    [clusterOf({ image: 'gone' }), /OpenStack has no image gone/],
    [clusterOf(imageOfRegion, 'RegionOne', 'huge'), /OpenStack has no flavor huge/],
  ])('needs a flavor and an image: %#', async (cluster, message) => {
    const error = await errorOf((await setUp({}, { cluster })).step('reconcile'))
    expect(error.message).toMatch(message)
    expect(codesOf(error)).toEqual(['ERR_CONFIGURATION_PROBLEM'])
  })

  test('names a quota that is exceeded, and starts once it is raised', async () => {
    const { step, until, cloud, servers } = await setUp({}, {}, { quotas: { instances: 0 } })
    const error = await errorOf(step('reconcile'))
    expect(error.message).toContain(
      `create server ${base}: creating server ${base}: forbidden: Quota exceeded`,
    )
    expect(codesOf(error)).toEqual(['ERR_INFRA_QUOTA_EXCEEDED'])
    cloud.setQuota('instances', 10)
    await until('reconcile')
    expect(servers()).toHaveLength(1)
  })

  test.each([
    [blocks('1.2.3.4'), /^spec\.ingress\[0\]\.ipBlock\.cidr: expected a range/],
    [blocks('1.2.3.4/33'), /^spec\.ingress\[0\]/],
  ])('refuses an invalid range before any call: %j', async (ingress, message) => {
    const { step, calls } = await setUp({ spec: { ingress } })
    const error = await errorOf(step('reconcile'))
    expect(error.message).toMatch(message)
    expect(codesOf(error)).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    expect(calls()).toEqual([])
  })

  test('waits for the network of the shoot', async () => {
    const { cloud, clock } = await setUp()
    const error = await errorOf(stepsOver(cloud.connection, clock).step('reconcile'))
    expect(error.message).toMatch(
      /^cannot read the network of the shoot in status\.providerStatus of the Inf/,
    )
    expect(codesOf(error)).toEqual(['ERR_CONFIGURATION_PROBLEM'])
  })
})

describe('the allowed ranges', () => {
  test('follow the spec: former ones are closed (D12)', async () => {
    const world = await setUp()
    await world.until('reconcile')
    world.change({ ingress: blocks('5.6.7.9/24', '2001:db8::/32') })
    const from = world.mark()
    await world.until('reconcile')
    expect(ownRanges(world)).toEqual(['2001:db8::/32', '5.6.7.0/24'])
    expect(world.writes(from).toSorted()).toEqual([
      expect.stringMatching(/^DELETE \S*\/v2\.0\/security-group-rules\/[0-9a-f-]{36}$/),
      expect.stringMatching(/^POST \S*\/v2\.0\/security-group-rules$/),
      expect.stringMatching(/^POST \S*\/v2\.0\/security-group-rules$/),
    ])
  })

  test('lose foreign rules, but Neutron’s own egress rules stay', async () => {
    const world = await setUp()
    await world.until('reconcile')
    const [group] = world.groups()
    const open = { direction: 'ingress', ethertype: 'IPv4', security_group_id: group?.id }
    world.cloud.add('securityGroupRule', { ...open, remote_ip_prefix: '0.0.0.0/0' })
    await world.until('reconcile')
    expect(ownRanges(world)).toEqual(['1.2.3.4/32'])
    const egress = world
      .rules()
      .filter(one => one.security_group_id === group?.id && one.direction === 'egress')
    expect(egress).toHaveLength(3)
  })

  test('are closed even if the new ones are refused', async () => {
    const world = await setUp()
    await world.until('reconcile')
    world.change({ ingress: blocks('5.6.7.0/24') })
    world.cloud.setQuota('security_group_rule', 0)
    const error = await errorOf(world.step('reconcile'))
    expect(codesOf(error)).toEqual(['ERR_INFRA_QUOTA_EXCEEDED'])
    expect(ownRanges(world)).toEqual([])
  })
})

describe('a deletion', () => {
  test('ends access, then the server, then the group', async () => {
    const world = await setUp()
    await world.until('reconcile')
    const from = world.mark()
    const waits = await world.until('remove')
    expectNothingLeft(world)
    expect(new Set(waits)).toEqual(
      new Set([expect.stringMatching(/^Waiting for server \S+ \(\S+\) to be deleted$/)]),
    )
    expect(world.writes(from).map(call => call.replace(/^DELETE \S*\/v2\.[01]\/|\/[^/]+$/g, ''))).toEqual([
      'floatingips',
      'servers',
      'security-groups',
    ])
  })

  test('of a bastion that was never created does nothing', async () => {
    const { until, writes } = await setUp()
    expect(await until('remove')).toEqual([])
    expect(writes()).toEqual([])
  })

  test('works without an Infrastructure and with a lost state', async () => {
    const world = await setUp()
    await world.until('reconcile')
    world.loseState()
    const steps = stepsOver(world.cloud.connection, world.clock)
    await steps.until('remove')
    expectNothingLeft(world)
  })

  test('is refused in another project', async () => {
    const world = await setUp()
    await world.until('reconcile')
    const secret = { ...secretData, tenantName: 'other', username: 'other', password: 'other-secret' }
    const parts = { status: { state: { ...world.status()?.state } } }
    const error = await errorOf(
      stepsOver(world.cloud.connection, world.clock, parts, { secret }).step('remove'),
    )
    expect(error.message).toMatch(
      /^the bastion was created in the project \S+, but the credentials in the Secret /,
    )
    expect(codesOf(error)).toEqual(['ERR_CONFIGURATION_PROBLEM'])
  })
})

describe('an existing server', () => {
  test('that is stopped is reported', async () => {
    const { until, step, cloud, servers } = await setUp()
    await until('reconcile')
    const id = servers()[0]?.id ?? ''
    cloud.put('server', id, { status: 'SHUTOFF' })
    expect(await step('reconcile')).toMatchObject({
      kind: 'continue',
      description: `Server ${id} has the status SHUTOFF and cannot be reached. Start it, or delete it to get a new one`,
    })
  })

  test('that has failed is replaced, and the reason is reported', async () => {
    const { until, step, cloud, servers, clock } = await setUp()
    await step('reconcile')
    const id = servers()[0]?.id ?? ''
    const fault = { code: 500, message: 'No valid host was found. There are not enough hosts available.' }
    cloud.put('server', id, { status: 'ERROR', fault })
    const error = await errorOf(step('reconcile'))
    expect(error.message).toContain(`server ${id} has the status ERROR: No valid host was found`)
    expect(codesOf(error)).toEqual(['ERR_INFRA_DEPENDENCIES'])
    await clock.advance(60_000)
    await until('reconcile')
    expect(servers().map(one => one.id)).not.toContain(id)
    expect(servers()).toHaveLength(1)
  })

  test('that a user has deleted is created again, and has the same address', async () => {
    const { until, cloud, servers, addresses, clock } = await setUp()
    await until('reconcile')
    const before = addresses()[0]?.floating_ip_address
    cloud.remove('server', servers()[0]?.id ?? '')
    await clock.advance(600_000)
    await until('reconcile')
    expect(servers()).toHaveLength(1)
    expect(addresses().map(one => one.floating_ip_address)).toEqual([before])
  })
})
