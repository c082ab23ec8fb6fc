import { adminPassword, type CloudPorts, region } from './configurations.ts'
import { type PlainSession, type PlainUser, plain, plainLogin, whenReady } from './rest.ts'

export const admin: PlainUser = {
  user: 'admin',
  password: adminPassword,
  domain: 'Default',
  project: 'admin',
}

/** The users of the cloud, by name. Their password is `<name>-secret`. */
export const users = {
  gardener: { roles: ['member', 'net_gateway'], project: 'shoots' },
  // By default, members may not select the address of a router.
  plain: { roles: ['member'], project: 'shoots' },
  reader: { roles: ['reader'], project: 'shoots' },
  other: { roles: ['member'], project: 'other' },
} as const
export const domain = 'acme'
export const applicationCredential = { name: 'gardener-app', secret: 'app-secret' }

export const userCalled = (name: keyof typeof users): PlainUser => ({
  user: name,
  password: `${name}-secret`,
  domain,
  project: users[name].project,
})

/** The services of the catalog: type, and the path of its endpoint. */
export const catalog = {
  network: { port: 'neutron', path: '/' },
  compute: { port: 'nova', path: '/v2.1/' },
  placement: { port: 'placement', path: '/' },
  image: { port: 'glance', path: '/' },
  dns: { port: 'designate', path: '/' },
  'object-store': { port: 'swift', path: '/v1/AUTH_$(project_id)s' },
  'load-balancer': { port: 'octavia', path: '/' },
} as const satisfies Record<string, { port: keyof CloudPorts; path: string }>

const host = 'http://127.0.0.1'

/** Creates catalog, roles, projects and users. Before the start of nova, which keeps its first token and its catalog. */
export const seedIdentity = async (ports: CloudPorts): Promise<PlainSession> => {
  const keystone = `${host}:${ports.keystone}`
  const session = await whenReady(() => plainLogin(keystone, admin))
  const { token } = session
  const create = async (plural: string, kind: string, body: object) =>
    (await plain('POST', `${keystone}/v3/${plural}`, { token, body: { [kind]: body } })).json[kind]
      .id as string
  for (const [type, { port, path }] of Object.entries(catalog)) {
    const service_id = await create('services', 'service', { type, name: port })
    for (const kind of ['public', 'internal', 'admin'])
      await create('endpoints', 'endpoint', {
        service_id,
        interface: kind,
        url: `${host}:${ports[port]}${path}`,
        region_id: region,
      })
  }
  const existing: { id: string; name: string }[] = (await plain('GET', `${keystone}/v3/roles`, { token }))
    .json.roles
  const roles = new Map(existing.map(({ id, name }) => [name, id]))
  for (const name of ['service', 'member', 'reader', 'net_gateway'])
    if (!roles.has(name)) roles.set(name, await create('roles', 'role', { name }))
  const grant = (project: string, user: string, role: string) =>
    plain('PUT', `${keystone}/v3/projects/${project}/users/${user}/roles/${roles.get(role)}`, { token })
  // Nova sends a token of its own along, which neutron refuses without this role.
  await grant(session.projectId, session.userId, 'service')
  const domain_id = await create('domains', 'domain', { name: domain })
  const projects = new Map<string, string>()
  for (const name of ['shoots', 'other'])
    projects.set(name, await create('projects', 'project', { name, domain_id }))
  for (const [name, { roles: granted, project }] of Object.entries(users)) {
    const projectId = projects.get(project) ?? ''
    const user = await create('users', 'user', { name, domain_id, password: `${name}-secret` })
    for (const role of granted) await grant(projectId, user, role)
  }
  return session
}

/** Creates what operators of a cloud offer: external networks, address pools, flavors, an image; and two zones. */
export const seedResources = async (ports: CloudPorts, { token, projectId }: PlainSession): Promise<void> => {
  const at = (port: keyof CloudPorts, path: string) => `${host}:${ports[port]}${path}`
  const network = async (kind: string, body: object) =>
    (
      await plain('POST', at('neutron', `/v2.0/${kind}s`), {
        token,
        body: { [kind.replaceAll('-', '_')]: body },
      })
    ).json[kind.replaceAll('-', '_')].id as string
  // The migrations create them: without them, a new group lets nothing out.
  for (const ethertype of ['IPv4', 'IPv6']) {
    const rule = (body: object) =>
      network('default-security-group-rule', { ethertype, used_in_default_sg: true, ...body })
    await whenReady(() => rule({ direction: 'egress', used_in_non_default_sg: true }))
    await rule({ direction: 'ingress', remote_group_id: 'PARENT', used_in_non_default_sg: false })
  }
  for (const [name, subnets] of Object.entries(externalNetworks)) {
    const network_id = await network('network', { name, 'router:external': true, tenant_id: projectId })
    for (const subnet of subnets)
      await network('subnet', { network_id, enable_dhcp: false, ip_version: 4, ...subnet })
  }
  await network('subnetpool', {
    name: 'v4pool',
    prefixes: ['10.180.0.0/16'],
    default_prefixlen: 24,
    shared: true,
  })
  await network('subnetpool', {
    name: 'v6pool',
    prefixes: ['2001:db8:1::/48'],
    default_prefixlen: 64,
    shared: true,
  })
  for (const [id, name, vcpus, ram] of [
    ['1', 'm1.small', 1, 512],
    ['2', 'm5.large', 2, 1024],
  ])
    await whenReady(() =>
      plain('POST', at('nova', '/v2.1/flavors'), {
        token,
        body: { flavor: { id, name, vcpus, ram, disk: 1 } },
      }),
    )
  const image = await plain('POST', at('glance', '/v2/images'), {
    token,
    body: {
      name: 'gardenlinux-1877.3.0',
      disk_format: 'raw',
      container_format: 'bare',
      visibility: 'public',
    },
  })
  await plain('PUT', at('glance', `/v2/images/${image.json.id}/file`), {
    token,
    body: new Uint8Array(1024),
    headers: { 'content-type': 'application/octet-stream' },
  })
  const gardener = await plainLogin(`${host}:${ports.keystone}`, userCalled('gardener'))
  for (const name of ['example.com.', 'sub.example.com.'])
    await whenReady(() =>
      plain('POST', at('designate', '/v2/zones'), {
        token: gardener.token,
        body: { name, email: 'dns@example.com', ttl: 3600 },
      }),
    )
  const roles = users.gardener.roles.map(name => ({ name }))
  await plain('POST', at('keystone', `/v3/users/${gardener.userId}/application_credentials`), {
    token: gardener.token,
    body: { application_credential: { ...applicationCredential, roles } },
  })
}

const externalNetworks = {
  public: [{ name: 'public-subnet', cidr: '203.0.113.0/24' }],
  'public-multi': [
    { name: 'fip-a', cidr: '198.51.100.0/26' },
    { name: 'fip-b', cidr: '198.51.100.64/26' },
    { name: 'other-c', cidr: '198.51.100.128/26' },
  ],
  // One address, which one router takes.
  'public-full': [
    {
      name: 'full-a',
      cidr: '192.0.2.0/30',
      gateway_ip: '192.0.2.1',
      allocation_pools: [{ start: '192.0.2.2', end: '192.0.2.2' }],
    },
    { name: 'full-b', cidr: '192.0.2.64/26' },
  ],
  'public-dual': [
    { name: 'dual-v4', cidr: '192.0.2.128/26' },
    { name: 'dual-v6', cidr: '2001:db8:ffff::/64', ip_version: 6 },
  ],
}

/** The data of a Secret of Gardener with the password of a user. */
export const secretData = (authUrl: string, { user, password, domain: domainName, project }: PlainUser) => ({
  domainName,
  tenantName: project,
  username: user,
  password,
  authURL: authUrl,
})
