import type { Random } from '../../../../sandbox/simulation/simulation.ts'

/** A call of a sequence. `{network 1}` in path and body stands for the id of the second network of the sequence. */
export interface SequenceCall {
  readonly service: 'network' | 'compute' | 'dns' | 'object-store'
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: object | string
  /** The kind that a success creates, for later references. */
  readonly makes?: string
}

/** Creates calls that refer to what the sequence has asked for before, whether that succeeded or not. */
export const sequenceOf = (random: Random, name: string, length: number): readonly SequenceCall[] => {
  const made = new Map<string, number>()
  const pick = <T>(...options: readonly T[]): T => options[random.int(options.length)] as T
  const some = (kind: string) => `{${kind} ${random.int(Math.max(made.get(kind) ?? 0, 1))}}`
  const named = (kind: string) => `${name}-${kind}-${random.int(3)}`
  const network = (
    method: SequenceCall['method'],
    path: string,
    body?: object,
    makes?: string,
  ): SequenceCall => ({
    service: 'network',
    method,
    path: `/v2.0/${path}`,
    ...(body && { body }),
    ...(makes && { makes }),
  })
  const dns = (
    method: SequenceCall['method'],
    path: string,
    body?: object,
    makes?: string,
  ): SequenceCall => ({
    service: 'dns',
    method,
    path: `/v2/${path}`,
    ...(body && { body }),
    ...(makes && { makes }),
  })
  const compute = (
    method: SequenceCall['method'],
    path: string,
    body?: object,
    makes?: string,
  ): SequenceCall => ({
    service: 'compute',
    method,
    path: `/v2.1/${path}`,
    ...(body && { body }),
    ...(makes && { makes }),
  })
  const swift = (method: SequenceCall['method'], path: string, body?: string): SequenceCall => ({
    service: 'object-store',
    method,
    path: `/${path}`,
    ...(body !== undefined && { body }),
  })
  const cidrs = ['10.1.0.0/24', '10.1.0.0/16', '10.2.0.0/24', '10.3.0.0/33', 'nonsense']
  const router = (fields: object) => network('PUT', `routers/${some('router')}`, { router: { ...fields } })
  /** Creations that many other calls need. */
  const bases: readonly (() => SequenceCall)[] = [
    () => network('POST', 'networks', { network: { name: named('network') } }, 'network'),
    () => newSubnet(cidrs.slice(0, 3)),
    () => network('POST', 'routers', { router: { name: named('router') } }, 'router'),
    () => network('POST', 'security-groups', { security_group: { name: named('group') } }, 'security_group'),
    () => network('POST', 'ports', { port: { name: named('port'), network_id: some('network') } }, 'port'),
    () => newZone(0),
  ]
  const newZone = (number: number) =>
    dns('POST', 'zones', { name: `${name}-zone-${number}.example.org.`, email: 'dns@example.org' }, 'zone')
  const newSubnet = (from: readonly string[]) =>
    network(
      'POST',
      'subnets',
      {
        subnet: {
          name: named('subnet'),
          network_id: some('network'),
          ip_version: pick(4, 4, 6),
          cidr: pick(...from),
        },
      },
      'subnet',
    )
  const kinds: readonly (() => SequenceCall)[] = [
    ...bases,
    () => network('GET', `networks/${some('network')}`),
    () => network('GET', `networks?name=${named('network')}`),
    () => network('PUT', `networks/${some('network')}`, { network: { description: 'changed' } }),
    () => network('DELETE', `networks/${some('network')}`),
    () => newSubnet(cidrs),
    () =>
      network('PUT', `subnets/${some('subnet')}`, {
        subnet: { dns_nameservers: pick([], ['9.9.9.9'], ['x']) },
      }),
    () => network('DELETE', `subnets/${some('subnet')}`),
    () => network('PUT', `routers/${some('router')}/add_router_interface`, { subnet_id: some('subnet') }),
    () => network('PUT', `routers/${some('router')}/remove_router_interface`, { subnet_id: some('subnet') }),
    () => network('DELETE', `routers/${some('router')}`),
    () =>
      router({
        external_gateway_info: pick(null, { network_id: '{public 0}' }, { network_id: some('network') }),
      }),
    () => router({ name: named('router'), description: 'changed' }),
    () => network('POST', 'floatingips', { floatingip: { floating_network_id: '{public 0}' } }, 'floatingip'),
    () =>
      network('PUT', `floatingips/${some('floatingip')}`, {
        floatingip: { port_id: pick(null, some('port')) },
      }),
    () => network('DELETE', `floatingips/${some('floatingip')}`),
    () => network('PUT', `${pick('networks', 'subnets')}/${some('network')}/tags/${name}`),
    () => network('GET', `networks?tags=${name}`),
    () => network('GET', `ports?network_id=${some('network')}`),
    () => network('PUT', `ports/${some('port')}`, { port: { name: named('port') } }),
    () => network('PUT', `ports/${some('port')}`, { port: { security_groups: [some('security_group')] } }),
    () =>
      network('PUT', `security-groups/${some('security_group')}`, {
        security_group: { description: 'changed' },
      }),
    () => network('DELETE', `ports/${some('port')}`),
    () => network('GET', `security-groups/${some('security_group')}`),
    () => network('DELETE', `security-groups/${some('security_group')}`),
    () =>
      network(
        'POST',
        'security-group-rules',
        {
          security_group_rule: {
            security_group_id: some('security_group'),
            direction: pick('ingress', 'egress'),
            ethertype: 'IPv4',
            protocol: pick('tcp', 'udp'),
            port_range_min: pick(22, 80),
            port_range_max: 80,
            remote_ip_prefix: pick('0.0.0.0/0', '1.2.3.4/32'),
          },
        },
        'security_group_rule',
      ),
    () => network('DELETE', `security-group-rules/${some('security_group_rule')}`),
    () =>
      compute('POST', 'os-keypairs', {
        keypair: { name: named('key'), public_key: pick(publicKey, publicKey, 'nonsense') },
      }),
    () => compute('GET', `os-keypairs/${named('key')}`),
    () => compute('DELETE', `os-keypairs/${named('key')}`),
    () =>
      compute(
        'POST',
        'os-server-groups',
        {
          server_group: { name: named('servers'), policies: [pick('affinity', 'anti-affinity', 'nonsense')] },
        },
        'server_group',
      ),
    () => compute('GET', `os-server-groups/${some('server_group')}`),
    () => compute('DELETE', `os-server-groups/${some('server_group')}`),
    () => newZone(random.int(3)),
    () => dns('PATCH', `zones/${some('zone')}`, { ttl: pick(300, 600) }),
    () =>
      dns(
        'POST',
        `zones/${some('zone')}/recordsets`,
        {
          name: pick(`${named('a')}.${name}-zone-0.example.org.`, 'elsewhere.example.net.'),
          type: 'A',
          records: pick(['1.2.3.4'], ['1.2.3.4', '5.6.7.8'], ['nonsense']),
          ttl: 120,
        },
        'recordset',
      ),
    () => dns('GET', `zones/${some('zone')}/recordsets?type=A`),
    () =>
      dns('PUT', `zones/${some('zone')}/recordsets/${some('recordset')}`, { records: ['9.9.9.9'], ttl: 300 }),
    () => dns('DELETE', `zones/${some('zone')}/recordsets/${some('recordset')}`),
    () => swift('PUT', named('container')),
    () => swift('PUT', `${named('container')}/object`, 'content'),
    () => swift('GET', `${named('container')}?format=json`),
    () => swift('DELETE', `${named('container')}/object`),
    () => swift('DELETE', named('container')),
  ]
  // Most sequences begin with most of what others need.
  const first = bases.filter(() => random.int(4) > 0)
  return Array.from({ length }, (_, index) => {
    const call = (first[index] ?? (kinds[random.int(kinds.length)] as () => SequenceCall))()
    if (call.makes !== undefined) made.set(call.makes, (made.get(call.makes) ?? 0) + 1)
    return call
  })
}

const publicKey =
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQCQygA7fZfz5LAHOs9zqVXnd+dek6m2TN7iz9s5oidSwpr9Fy6sE7TW1JuEwUeJVsdiHOTCVnfk2gSzRq6/TaKIWJm1mGkE6tno+0GI84yoF60OUc/NMAsxWHE7GvRukr24T/ZEnUZ13Og8If+RZDhZPBHorfFgrK/bDkqimxe90KWcbVPmp1lg2nqVfVwJWcltShdlHlPwkE85wTnV/XBQFZLOeleAc0QK36eYw/qP6DPL2vPg0y8N++EFFnWyBpKtGpxTaiTEtcPF66cnxn93GvhMrtNBTXm/XYWGgFfzNG2BrAL8hyU7ed82/l8aVF0lNNHBxEdS0h8S14e87k8T test'

/** The calls that remove what a sequence has made, in an order in which each can succeed. */
export const removalsOf = (
  made: ReadonlyMap<string, readonly (string | undefined)[]>,
): readonly SequenceCall[] => {
  const ids = (kind: string) => (made.get(kind) ?? []).filter(id => id !== undefined)
  const call = (method: 'DELETE' | 'PUT', path: string, body?: object): SequenceCall => ({
    service: 'network',
    method,
    path: `/v2.0/${path}`,
    ...(body && { body }),
  })
  const remove = (kind: string) => ids(kind).map(id => call('DELETE', `${kind.replace('_', '-')}s/${id}`))
  const interfaces = ids('router').flatMap(router =>
    ids('subnet').map(subnet_id => call('PUT', `routers/${router}/remove_router_interface`, { subnet_id })),
  )
  return [
    ...remove('floatingip'),
    ...interfaces,
    ...['router', 'port', 'network', 'security_group'].flatMap(remove),
    ...ids('zone').map(id => ({ service: 'dns', method: 'DELETE', path: `/v2/zones/${id}` }) as const),
    ...ids('server_group').map(
      id => ({ service: 'compute', method: 'DELETE', path: `/v2.1/os-server-groups/${id}` }) as const,
    ),
  ]
}
