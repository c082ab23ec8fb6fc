import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../../../../shared/clock/clock.ts'
import { uuidOf } from '../core/chosen.ts'
import { createOpenStack, type OpenStackOptions } from '../create-openstack.ts'
import { clientOf } from '../testing/client.ts'

const setUp = async (options: Partial<OpenStackOptions> = {}, user = 'gardener') => {
  const clock = virtualClock(0)
  const openstack = createOpenStack({ clock, furnished: true, scale: 1, ...options })
  const { call } = await clientOf(openstack, user)
  const neutron = (method: string, path: string, body?: unknown) =>
    call(method, `/network/v2.0/${path}`, body)
  const make = async (path: string, member: string, fields: object): Promise<string> => {
    const { body, status } = await neutron('POST', path, { [member]: fields })
    expect(status, JSON.stringify(body)).toBe(201)
    return (body[member] as unknown as { id: string }).id
  }
  return { clock, openstack, neutron, make }
}

/** A network as the Infrastructure of a shoot has it. */
const shootNetwork = async (options?: Partial<OpenStackOptions>) => {
  const set = await setUp(options)
  const network = await set.make('networks', 'network', { name: 'a', admin_state_up: true })
  const subnet = await set.make('subnets', 'subnet', {
    name: 'a',
    network_id: network,
    ip_version: 4,
    cidr: '10.250.0.0/16',
    dns_nameservers: ['10.10.10.10'],
  })
  const router = await set.make('routers', 'router', {
    name: 'a',
    external_gateway_info: { network_id: uuidOf('network public') },
  })
  const added = await set.neutron('PUT', `routers/${router}/add_router_interface`, { subnet_id: subnet })
  expect(added.status).toBe(200)
  return { ...set, network, subnet, router, port: String(added.body.port_id) }
}

const errorOf = ({ body, status }: { readonly body: object; readonly status: number }) => ({
  status,
  ...(body as { readonly NeutronError: { readonly type: string; readonly message: string } }).NeutronError,
})

test('a network has the fields of a recorded one', async () => {
  const { network, neutron, subnet, router, port } = await shootNetwork()
  expect((await neutron('GET', `networks/${network}`)).body.network).toMatchObject({
    name: 'a',
    status: 'ACTIVE',
    subnets: [subnet],
    mtu: 1500,
    'router:external': false,
    tags: [],
  })
  expect((await neutron('GET', `subnets/${subnet}`)).body.subnet).toMatchObject({
    gateway_ip: '10.250.0.1',
    allocation_pools: [{ start: '10.250.0.2', end: '10.250.255.254' }],
    enable_dhcp: true,
    dns_nameservers: ['10.10.10.10'],
  })
  expect((await neutron('GET', `routers/${router}`)).body.router).toMatchObject({
    status: 'ACTIVE',
    external_gateway_info: {
      network_id: uuidOf('network public'),
      enable_snat: true,
      external_fixed_ips: [{ subnet_id: uuidOf('subnet public-subnet'), ip_address: '203.0.113.2' }],
    },
  })
  expect((await neutron('GET', `ports/${port}`)).body.port).toMatchObject({
    device_owner: 'network:router_interface',
    fixed_ips: [{ subnet_id: subnet, ip_address: '10.250.0.1' }],
    security_groups: [],
    status: 'DOWN',
  })
})

test('the port of a router becomes active after a delay', async () => {
  const { clock, neutron, port } = await shootNetwork()
  const status = async () => ((await neutron('GET', `ports/${port}`)).body.port as { status: string }).status
  expect(await status()).toBe('DOWN')
  await clock.advance(2_000)
  expect(await status()).toBe('ACTIVE')
})

describe('a deletion is refused with the recorded error', () => {
  test('for a network with the port of a stranger', async () => {
    const { network, neutron, openstack } = await shootNetwork()
    const { id } = openstack.add('port', { network_id: network, device_owner: 'someone-else' })
    const [own] = openstack.resources('port').filter(port => port.device_owner === 'network:router_interface')
    expect(errorOf(await neutron('DELETE', `networks/${network}`))).toEqual({
      status: 409,
      type: 'NetworkInUse',
      message: `Unable to complete operation on network ${network}. There are one or more ports still in use on the network, id for these ports is: ${own?.id},${id}.`,
      detail: '',
    })
  })
  test('for a subnet with a port', async () => {
    const { subnet, neutron } = await shootNetwork()
    expect(errorOf(await neutron('DELETE', `subnets/${subnet}`))).toEqual({
      status: 409,
      type: 'SubnetInUse',
      message: `Unable to complete operation on subnet ${subnet}: One or more ports have an IP allocation from this subnet.`,
      detail: '',
    })
  })
  test('for a router with an interface, and for its port', async () => {
    const { router, port, neutron } = await shootNetwork()
    expect(errorOf(await neutron('DELETE', `routers/${router}`))).toMatchObject({
      status: 409,
      type: 'RouterInUse',
    })
    expect(errorOf(await neutron('DELETE', `ports/${port}`))).toMatchObject({
      status: 409,
      type: 'ServicePortInUse',
    })
  })
})

test('a network is deleted with its subnets, and a router with its gateway', async () => {
  const { network, subnet, router, port, neutron, openstack } = await shootNetwork()
  const removed = await neutron('PUT', `routers/${router}/remove_router_interface`, {
    subnet_id: subnet,
    port_id: port,
  })
  expect(removed.status).toBe(200)
  expect((await neutron('DELETE', `networks/${network}`)).status).toBe(204)
  expect((await neutron('DELETE', `routers/${router}`)).status).toBe(204)
  expect(openstack.resources('port')).toEqual([])
  expect((await neutron('GET', `subnets/${subnet}`)).status).toBe(404)
})

test.each([
  ['networks', 'NetworkNotFound', (id: string) => `Network ${id} could not be found.`],
  ['routers', 'RouterNotFound', (id: string) => `Router ${id} could not be found`],
  ['security-groups', 'SecurityGroupNotFound', (id: string) => `Security group ${id} does not exist`],
])('a missing item of %s gives the recorded error', async (path, type, message) => {
  const { neutron } = await setUp()
  const id = uuidOf('none')
  for (const method of ['GET', 'DELETE'])
    expect(errorOf(await neutron(method, `${path}/${id}`))).toEqual({
      status: 404,
      type,
      message: message(id),
      detail: '',
    })
})

test('the values of a body are refused before any resource is looked for', async () => {
  const { neutron } = await setUp()
  const none = uuidOf('none')
  const subnet = { network_id: none, ip_version: 4, cidr: '10.3.0.0/33' }
  expect(errorOf(await neutron('POST', 'subnets', { subnet }))).toMatchObject({ type: 'InvalidInput' })
  for (const [method, path, fields] of [
    ['PUT', `subnets/${none}`, {}],
    ['POST', 'subnets', { ...subnet, cidr: '10.3.0.0/24' }],
  ] as const)
    expect(
      errorOf(await neutron(method, path, { subnet: { ...fields, dns_nameservers: ['x'] } })),
    ).toMatchObject({ status: 400, type: 'HTTPBadRequest' })
  const router = { external_gateway_info: { network_id: none, enable_snat: false } }
  const plain = await setUp({}, 'plain')
  expect(errorOf(await plain.neutron('PUT', `routers/${none}`, { router }))).toMatchObject({
    type: 'RouterNotFound',
  })
})

test.each([
  ['networks', 'network', {}],
  ['routers', 'router', {}],
  ['security-groups', 'security_group', { name: 'a' }],
] as const)('a quota of %s gives the recorded error', async (path, member, fields) => {
  const { neutron, openstack } = await setUp()
  openstack.setQuota(member, 0)
  expect(errorOf(await neutron('POST', path, { [member]: fields }))).toEqual({
    status: 409,
    type: 'OverQuota',
    message: `Quota exceeded for resources: ['${member}'].`,
    detail: '',
  })
})

describe('a gateway', () => {
  const gateway = (fields: object) => ({
    router: { name: 'r', external_gateway_info: { network_id: uuidOf('network public-multi'), ...fields } },
  })
  const inSubnet = gateway({ external_fixed_ips: [{ subnet_id: uuidOf('subnet fip-b') }] })

  test('with an address in a subnet needs a role, as recorded', async () => {
    const { neutron } = await setUp({}, 'plain')
    expect(errorOf(await neutron('POST', 'routers', inSubnet))).toEqual({
      status: 403,
      type: 'PolicyNotAuthorized',
      message:
        '(rule:create_router and (rule:create_router:external_gateway_info and (rule:create_router:external_gateway_info:network_id and rule:create_router:external_gateway_info:external_fixed_ips))) is disallowed by policy',
      detail: '',
    })
  })
  test('has the asked subnet with the role', async () => {
    const { neutron } = await setUp()
    const { body } = await neutron('POST', 'routers', inSubnet)
    expect(body.router).toMatchObject({
      external_gateway_info: { external_fixed_ips: [{ ip_address: '198.51.100.66' }] },
    })
  })
  test('into a subnet without free addresses is refused', async () => {
    const { neutron } = await setUp()
    const full = {
      router: {
        external_gateway_info: {
          network_id: uuidOf('network public-full'),
          external_fixed_ips: [{ subnet_id: uuidOf('subnet full-a') }],
        },
      },
    }
    expect((await neutron('POST', 'routers', full)).status).toBe(201)
    expect(errorOf(await neutron('POST', 'routers', full))).toMatchObject({
      status: 409,
      type: 'IpAddressGenerationFailure',
    })
  })
})

test('subnets of a pool get ranges one after the other', async () => {
  const { make, openstack } = await setUp()
  const network = await make('networks', 'network', { name: 'a' })
  for (const name of ['a', 'b'])
    await make('subnets', 'subnet', {
      name,
      network_id: network,
      ip_version: 6,
      subnetpool_id: uuidOf('subnet pool v6pool'),
      ipv6_ra_mode: 'slaac',
      ipv6_address_mode: 'slaac',
    })
  const own = openstack.resources('subnet').filter(subnet => subnet.network_id === network)
  expect(own).toMatchObject([
    { cidr: '2001:db8:1::/64', gateway_ip: '2001:db8:1::1' },
    { cidr: '2001:db8:1:1::/64', gateway_ip: '2001:db8:1:1::1' },
  ])
  expect(own[1]?.allocation_pools).toEqual([
    { start: '2001:db8:1:1::2', end: '2001:db8:1:1:ffff:ffff:ffff:ffff' },
  ])
})

test('an overlapping subnet is refused', async () => {
  const { network, neutron } = await shootNetwork()
  const subnet = { network_id: network, ip_version: 4, cidr: '10.250.4.0/24' }
  expect(errorOf(await neutron('POST', 'subnets', { subnet }))).toEqual({
    status: 400,
    type: 'InvalidInput',
    message: `Invalid input for operation: Requested subnet with cidr: 10.250.4.0/24 for network: ${network} overlaps with another subnet.`,
    detail: '',
  })
})

describe('a security group', () => {
  const rule = (group: string, fields: object = {}) => ({
    security_group_id: group,
    direction: 'ingress',
    ethertype: 'IPv4',
    protocol: 'tcp',
    port_range_min: 22,
    port_range_max: 22,
    ...fields,
  })

  test('starts with two rules for everything that goes out', async () => {
    const { make, neutron } = await setUp()
    const id = await make('security-groups', 'security_group', { name: 'a', description: 'Cluster Nodes' })
    const { body } = await neutron('GET', `security-groups/${id}`)
    const group = body.security_group as { readonly security_group_rules: readonly object[] }
    expect(group.security_group_rules[0]).not.toHaveProperty('tags')
    expect(group.security_group_rules).toMatchObject([
      { direction: 'egress', ethertype: 'IPv4', description: null, protocol: null },
      { direction: 'egress', ethertype: 'IPv6' },
    ])
  })
  test('has no rule twice, also not as a prefix for all addresses', async () => {
    const { make, neutron } = await setUp()
    const group = await make('security-groups', 'security_group', { name: 'a' })
    const id = await make('security-group-rules', 'security_group_rule', rule(group))
    const again = {
      security_group_rule: rule(group, { remote_ip_prefix: '0.0.0.0/0', description: 'other' }),
    }
    expect(errorOf(await neutron('POST', 'security-group-rules', again))).toEqual({
      status: 409,
      type: 'SecurityGroupRuleExists',
      message: `Security group rule already exists. Rule id is ${id}.`,
      detail: '',
    })
  })
  test('takes all rules of a bulk request or none', async () => {
    const { make, neutron, openstack } = await setUp()
    const group = await make('security-groups', 'security_group', { name: 'a' })
    const bulk = (...rules: readonly object[]) =>
      neutron('POST', 'security-group-rules', { security_group_rules: rules })
    const udp = rule(group, { protocol: 'udp' })
    const before = openstack.resources('securityGroupRule').length
    expect((await bulk(udp, rule(group, { ethertype: 'IPv4', remote_ip_prefix: '::/0' }))).status).toBe(400)
    expect(openstack.resources('securityGroupRule')).toHaveLength(before)
    const made = await bulk(udp, rule(group))
    expect([made.status, (made.body.security_group_rules as readonly object[]).length]).toEqual([201, 2])
  })
  test('ends with the rules of other groups that name it, and never while a port uses it', async () => {
    const { make, neutron, openstack } = await setUp()
    const [one, other] = [
      await make('security-groups', 'security_group', { name: 'a' }),
      await make('security-groups', 'security_group', { name: 'b' }),
    ]
    await make('security-group-rules', 'security_group_rule', rule(other, { remote_group_id: one }))
    const network = await make('networks', 'network', { name: 'a' })
    const port = await make('ports', 'port', { network_id: network, security_groups: [one] })
    expect(errorOf(await neutron('DELETE', `security-groups/${one}`))).toMatchObject({
      status: 409,
      type: 'SecurityGroupInUse',
    })
    await neutron('DELETE', `ports/${port}`)
    expect((await neutron('DELETE', `security-groups/${one}`)).status).toBe(204)
    expect(
      openstack.resources('securityGroupRule').filter(one => one.security_group_id === other),
    ).toHaveLength(2)
  })
})

test('a floating IP reaches a port only through a router', async () => {
  const { make, neutron, network, router, subnet } = await shootNetwork()
  const port = await make('ports', 'port', { network_id: network })
  const id = await make('floatingips', 'floatingip', {
    floating_network_id: uuidOf('network public'),
    description: 'b',
  })
  const found = await neutron('GET', 'floatingips?description=b')
  expect(found.body.floatingips).toMatchObject([{ id, status: 'DOWN', port_id: null }])
  const associated = await neutron('PUT', `floatingips/${id}`, { floatingip: { port_id: port } })
  expect(associated.body.floatingip).toMatchObject({ router_id: router, fixed_ip_address: '10.250.0.2' })
  expect(
    errorOf(await neutron('PUT', `routers/${router}/remove_router_interface`, { subnet_id: subnet })),
  ).toMatchObject({ status: 409, type: 'RouterInterfaceInUseByFloatingIP' })
  const other = await make('floatingips', 'floatingip', {
    floating_network_id: uuidOf('network public-multi'),
  })
  expect(
    errorOf(await neutron('PUT', `floatingips/${other}`, { floatingip: { port_id: port } })),
  ).toMatchObject({
    status: 404,
    type: 'ExternalGatewayForFloatingIPNotFound',
  })
})

test('tags are set, added, filtered and removed', async () => {
  const { make, neutron } = await setUp()
  const id = await make('networks', 'network', { name: 'a' })
  await neutron('PUT', `networks/${id}/tags`, { tags: ['x', 'y'] })
  await neutron('PUT', `networks/${id}/tags/z`)
  await neutron('DELETE', `networks/${id}/tags/y`)
  const names = async (query: string) =>
    ((await neutron('GET', `networks?name=a&${query}`)).body.networks as readonly object[]).length
  expect([await names('tags=x,z'), await names('tags=x,y'), await names('tags-any=y,z')]).toEqual([1, 0, 1])
})

test('unknown and fixed fields and filters are refused', async () => {
  const { network, subnet, neutron } = await shootNetwork()
  const refused = async (method: string, path: string, body?: object) =>
    errorOf(await neutron(method, path, body)).message
  expect(await refused('POST', 'networks', { network: { colour: 'red' } })).toBe(
    "Unrecognized attribute(s) 'colour'",
  )
  expect(await refused('PUT', `subnets/${subnet}`, { subnet: { cidr: '10.0.0.0/8' } })).toBe(
    'Cannot update read-only attribute cidr',
  )
  expect(await refused('GET', 'networks?colour=red')).toBe("['colour'] is invalid attribute for filtering")
  expect(await refused('PUT', `networks/${network}`, { network: { name: 5 } })).toBe(
    "Invalid input for name. Reason: '5' is not a valid string.",
  )
})

test('ports are filtered by device, subnet and address', async () => {
  const { neutron, router, subnet, port } = await shootNetwork()
  const ids = async (query: string) =>
    ((await neutron('GET', `ports?${query}`)).body.ports as readonly { readonly id: string }[]).map(
      ({ id }) => id,
    )
  expect(await ids(`device_id=${router}&fixed_ips=subnet_id%3D${subnet}`)).toEqual([port])
  expect(await ids('fixed_ips=ip_address%3D10.250.0.9')).toEqual([])
})

test('another project sees external networks and nothing else', async () => {
  const { openstack, network } = await shootNetwork()
  const { call } = await clientOf(openstack, 'other', 'other')
  const { body } = await call('GET', '/network/v2.0/networks')
  expect((body.networks as readonly { readonly name: string }[]).map(({ name }) => name)).toEqual([
    'public',
    'public-multi',
    'public-full',
    'public-dual',
  ])
  expect((await call('GET', `/network/v2.0/networks/${network}`)).status).toBe(404)
})
