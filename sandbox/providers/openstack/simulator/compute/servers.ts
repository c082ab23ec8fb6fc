import { isRecord, recordOf, recordsOf, stringOf } from '../../../../../shared/decode/record-of.ts'
import type { KindContext } from '../core/context.ts'
import { dialects } from '../core/dialects.ts'
import { record, text } from '../core/field-types.ts'
import type { PortItem, ServerItem } from '../core/items.ts'
import { type ItemFields, isOwned, type ResourceKind } from '../core/kind.ts'
import { jsonAnswer } from '../core/message.ts'
import { novaRefusal, ServiceRefusal } from '../core/refusal.ts'
import { activate, createServicePort, networkOf } from '../network/network.ts'

/** `nova/api/openstack/compute/servers.py`. A server boots from an image or a volume, with ports in networks. */
export const servers: ResourceKind<'server'> = {
  kind: 'server',
  service: 'compute',
  collection: 'servers',
  member: 'server',
  list: 'servers',
  quota: 'instances',
  statuses: { created: 202 },
  fields: {
    name: text(''),
    accessIPv4: text(''),
    accessIPv6: text(''),
    metadata: record({}, { inUpdate: false }),
  },
  filters: ['status', 'flavor', 'image'],
  creation: {
    first: { status: 'BUILD', _task: 'spawning', _vm: 'building' },
    next: { status: 'ACTIVE', _task: null, _vm: 'active' },
    after: 'server',
  },
  deletion: { first: { _task: 'deleting' }, after: 'serverEnd' },
  missing: id => novaRefusal(404, `Instance ${id} could not be found.`),
  read: (body, context) => readServer(body, context),
  created: (server, context) => attachPorts(server, context),
  ended: ({ id, _ownPorts: own }, context) => {
    for (const port of context.store.all('port').filter(({ device_id }) => device_id === id)) {
      if (own.includes(port.id)) context.end('port', port.id)
      else context.store.patch('port', port.id, { device_id: '', device_owner: '', status: 'DOWN' })
    }
  },
  view: (server, context, form) => viewServer(server, context, form),
  filter: (server, name, values) => {
    // Nova takes the name as a regular expression.
    if (name === 'name') return values.some(value => nameMatches(server.name, value))
    if (name === 'status') return values.some(value => value.toUpperCase() === server.status)
    return undefined
  },
  actions: {
    'POST action': (server, body, context) => {
      const running = body['os-start'] !== undefined || body.reboot !== undefined
      if (!running && body['os-stop'] === undefined)
        throw novaRefusal(400, `There is no such action: ${Object.keys(body)[0]}`)
      context.store.patch('server', server.id, {
        status: running ? 'ACTIVE' : 'SHUTOFF',
        _vm: running ? 'active' : 'stopped',
      })
      return jsonAnswer(202)
    },
    'GET os-interface': (server, _, { store }) =>
      jsonAnswer(200, {
        interfaceAttachments: portsOf(server, store.all('port')).map(port => ({
          port_id: port.id,
          net_id: port.network_id,
          mac_addr: port.mac_address,
          port_state: port.status,
          fixed_ips: port.fixed_ips,
        })),
      }),
    'GET os-volume_attachments': () => jsonAnswer(200, { volumeAttachments: [] }),
    'GET metadata': server => jsonAnswer(200, { metadata: server.metadata }),
    'POST metadata': (server, { metadata }, { store }) => {
      const merged = { ...recordOf(server.metadata), ...recordOf(metadata) }
      store.patch('server', server.id, { metadata: merged })
      return jsonAnswer(200, { metadata: merged })
    },
  },
}

const nameMatches = (name: string, pattern: string): boolean => {
  try {
    return new RegExp(pattern).test(name)
  } catch {
    return name.includes(pattern)
  }
}

/** The members of a request that are accepted. */
const members: ReadonlySet<string> = new Set([
  ...['name', 'flavorRef', 'imageRef', 'networks', 'security_groups', 'key_name', 'user_data', 'metadata'],
  ...['availability_zone', 'config_drive', 'block_device_mapping_v2', 'min_count', 'max_count', 'adminPass'],
  ...['description', 'tags', 'hostname', 'OS-DCF:diskConfig', 'accessIPv4', 'accessIPv6', 'personality'],
])

const readServer = (body: ItemFields, context: KindContext): ItemFields => {
  const { store, holder } = context
  const { server } = body
  if (!isRecord(server)) throw dialects.compute.withoutMember('server')
  const unknown = Object.keys(server).filter(name => !members.has(name))
  if (unknown.length > 0) throw dialects.compute.unknownFields(unknown)
  for (const name of ['name', 'flavorRef']) if (!server[name]) throw dialects.compute.required(name)
  if (context.microversion >= 37 && server.networks === undefined) throw dialects.compute.required('networks')
  const flavor = stringOf(server.flavorRef).split('/').at(-1) ?? ''
  if (store.get('flavor', flavor) === undefined)
    throw novaRefusal(400, `Flavor ${flavor} could not be found.`)
  const volumes = recordsOf(server.block_device_mapping_v2)
  const image = stringOf(server.imageRef) || stringOf(volumes.find(one => one.source_type === 'image')?.uuid)
  if (image === '' && volumes.length === 0) throw novaRefusal(400, 'Missing imageRef attribute')
  const isSeen = (one: string) => {
    const found = store.get('image', one)
    return found !== undefined && (found.visibility === 'public' || isOwned(found, holder))
  }
  if (image !== '' && !isSeen(image)) throw novaRefusal(400, 'Can not find requested image')
  const key = server.key_name
  if (typeof key === 'string' && store.get('keypair', `${holder.userId}/${key}`) === undefined)
    throw novaRefusal(400, 'Invalid key_name provided.')
  const hints = recordOf(body['os:scheduler_hints'] ?? body['OS-SCH-HNT:scheduler_hints'])
  const group = stringOf(hints.group)
  if (group !== '' && store.get('serverGroup', group)?.project_id !== holder.projectId)
    throw novaRefusal(400, `Instance group ${group} could not be found.`)
  checkQuota(context)
  return {
    name: server.name,
    user_id: holder.userId,
    flavor,
    image: stringOf(server.imageRef) || null,
    key_name: key ?? null,
    metadata: recordOf(server.metadata),
    availability_zone: server.availability_zone ?? 'nova',
    config_drive: server.config_drive ? 'True' : '',
    user_data: server.user_data ?? null,
    security_groups: groupsOf(server.security_groups, context),
    created: time(context),
    updated: time(context),
    _group: group || null,
    _ownPorts: [],
    _networks: networksOf(server.networks, context),
    _task: null,
    _vm: 'active',
  }
}

const time = ({ now }: KindContext): string => `${new Date(now).toISOString().slice(0, 19)}Z`

const checkQuota = (context: KindContext): void => {
  const { store, holder } = context
  if (holder.isOperator) return
  const most = context.quotaOf('instances', holder.projectId)
  const used = store.all('server').filter(server => server.project_id === holder.projectId).length
  if (most >= 0 && used >= most)
    throw novaRefusal(
      403,
      `Quota exceeded for instances: Requested 1, but already used ${used} of ${most} instances`,
    )
}

/** Returns the ids of groups that are named by name or id. */
const groupsOf = (asked: unknown, { store, holder }: KindContext): readonly string[] =>
  recordsOf(asked).map(({ name }) => {
    const own = store.all('securityGroup').filter(group => group.project_id === holder.projectId)
    const found = own.find(({ id }) => id === name) ?? own.find(group => group.name === name)
    if (found === undefined) throw novaRefusal(400, `Unable to find security_group with name or id '${name}'`)
    return found.id
  })

interface AskedNetwork {
  readonly network?: string
  readonly port?: string
  readonly address?: string
}

const networksOf = (asked: unknown, context: KindContext): readonly AskedNetwork[] => {
  const { store, holder } = context
  if (asked === 'none') return []
  if (!Array.isArray(asked) || asked.length === 0) {
    const own = store
      .all('network')
      .filter(network => network.project_id === holder.projectId && !network['router:external'])
    if (own.length > 1)
      throw novaRefusal(409, 'Multiple possible networks found, use a Network ID to be more specific.')
    return own.map(({ id }) => ({ network: id }))
  }
  return recordsOf(asked).map(({ uuid, port, fixed_ip: address }) => {
    if (typeof port === 'string') {
      const found = store.get('port', port)
      if (found === undefined || !isOwned(found, holder))
        throw novaRefusal(400, `Port id ${port} could not be found.`)
      if (found.device_id !== '') throw novaRefusal(409, `Port ${port} is still in use.`)
      return { port }
    }
    const id = String(uuid)
    try {
      networkOf(id, context)
    } catch (error) {
      if (!(error instanceof ServiceRefusal)) throw error
      throw novaRefusal(400, `Network ${id} could not be found.`)
    }
    if (!store.all('subnet').some(subnet => subnet.network_id === id))
      throw novaRefusal(400, `Network ${id} requires a subnet in order to boot instances on.`)
    return { network: id, ...(typeof address === 'string' && { address }) }
  })
}

const attachPorts = (server: ServerItem, context: KindContext): void => {
  const { store } = context
  const owner = { device_id: server.id, device_owner: 'compute:nova' }
  const own = (server._networks as readonly AskedNetwork[]).flatMap(({ network, port, address }) => {
    if (port !== undefined) {
      store.patch('port', port, owner)
      activate(port, context)
      return []
    }
    const fields = {
      ...owner,
      network_id: network,
      ...(server.security_groups.length > 0 && { security_groups: server.security_groups }),
      ...(address !== undefined && { fixed_ips: [{ ip_address: address }] }),
    }
    return createServicePort(fields, server.project_id, context).id
  })
  store.patch('server', server.id, { _ownPorts: own })
}

const portsOf = ({ id }: ServerItem, ports: readonly PortItem[]): readonly PortItem[] =>
  ports.filter(port => port.device_id === id)

const viewServer = (
  server: ServerItem,
  context: KindContext,
  form: 'created' | 'one' | 'listed' | 'detail',
): ItemFields => {
  const { endpoint, store } = context
  const { id, name } = server
  const links = [
    { rel: 'self', href: `${endpoint}/v2.1/servers/${id}` },
    { rel: 'bookmark', href: `${endpoint}/servers/${id}` },
  ]
  if (form === 'listed') return { id, name, links }
  const groups = server.security_groups.map(group => ({
    name: store.get('securityGroup', group)?.name ?? group,
  }))
  if (form === 'created')
    return { id, links, 'OS-DCF:diskConfig': 'MANUAL', security_groups: groups, adminPass: 'made-up' }
  const bookmark = (kind: string, of: string) => ({
    id: of,
    links: [{ rel: 'bookmark', href: `${endpoint}/${kind}/${of}` }],
  })
  return {
    id,
    name,
    status: server.status,
    tenant_id: server.project_id,
    user_id: server.user_id,
    metadata: server.metadata,
    hostId: '',
    image: server.image === null ? '' : bookmark('images', server.image),
    flavor: bookmark('flavors', server.flavor),
    created: server.created,
    updated: server.updated,
    addresses: server.status === 'BUILD' ? {} : addressesOf(server, context),
    accessIPv4: server.accessIPv4 ?? '',
    accessIPv6: server.accessIPv6 ?? '',
    links,
    'OS-DCF:diskConfig': 'MANUAL',
    progress: 0,
    'OS-EXT-AZ:availability_zone': server.availability_zone,
    config_drive: server.config_drive,
    key_name: server.key_name,
    'OS-SRV-USG:launched_at': null,
    'OS-SRV-USG:terminated_at': null,
    ...(server.status !== 'BUILD' && { security_groups: groups }),
    ...(isRecord(server.fault) && { fault: server.fault }),
    'OS-EXT-STS:task_state': server._task,
    'OS-EXT-STS:vm_state': server._vm,
    'OS-EXT-STS:power_state': server.status === 'ACTIVE' ? 1 : 0,
    'os-extended-volumes:volumes_attached': [],
  }
}

/** Returns the addresses by name of the network, floating ones after their fixed one. */
const addressesOf = (server: ServerItem, { store }: KindContext): ItemFields => {
  const addresses: Record<string, object[]> = {}
  for (const port of portsOf(server, store.all('port'))) {
    const network = store.get('network', port.network_id)?.name ?? port.network_id
    const mac = { 'OS-EXT-IPS-MAC:mac_addr': port.mac_address }
    addresses[network] ??= []
    for (const { ip_address: addr } of port.fixed_ips) {
      const floating = store
        .all('floatingIp')
        .filter(one => one.port_id === port.id && one.fixed_ip_address === addr)
      addresses[network].push(
        { version: addr.includes(':') ? 6 : 4, addr, 'OS-EXT-IPS:type': 'fixed', ...mac },
        ...floating.map(one => ({
          version: 4,
          addr: one.floating_ip_address,
          'OS-EXT-IPS:type': 'floating',
          ...mac,
        })),
      )
    }
  }
  return addresses
}
