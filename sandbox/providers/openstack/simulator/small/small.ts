/** The services of which functions need little: Glance, Octavia and Manila. */

import type { KindContext } from '../core/context.ts'
import { fixed, fixedOrNull, flag, list, number, text } from '../core/field-types.ts'
import type { LoadBalancerItem } from '../core/items.ts'
import { isOwned, type ResourceKind, related } from '../core/kind.ts'
import { glanceRefusal, novaRefusal, octaviaRefusal } from '../core/refusal.ts'
import { createServicePort } from '../network/network.ts'

const time = ({ now }: Pick<KindContext, 'now'>): string => new Date(now).toISOString().slice(0, 19)

const images: ResourceKind<'image'> = {
  kind: 'image',
  service: 'image',
  collection: 'images',
  member: '',
  list: 'images',
  updateMethods: [],
  fields: {
    name: text(''),
    visibility: text('shared'),
    disk_format: text('raw'),
    container_format: text('bare'),
    min_disk: number(0),
    min_ram: number(0),
    status: text('active', { role: '' }),
  },
  missing: id => glanceRefusal(404, `No image found with ID ${id}`),
  isVisible: (image, holder) => image.visibility === 'public' || isOwned(image, holder),
  build: (_, context) => ({ created_at: `${time(context)}Z`, updated_at: `${time(context)}Z` }),
  view: image => ({ ...image, owner: image.project_id, project_id: undefined }),
}

const pending = (state: string): boolean => state.startsWith('PENDING')

/** `octavia/api/v2/controllers/load_balancer.py`: nothing changes a load balancer while it is pending. */
const checkState = ({ id, provisioning_status: state }: LoadBalancerItem): void => {
  if (pending(state)) throw octaviaRefusal(409, `Invalid state ${state} of loadbalancer resource ${id}`)
}

const loadBalancers: ResourceKind<'loadBalancer'> = {
  kind: 'loadBalancer',
  service: 'load-balancer',
  collection: 'loadbalancers',
  member: 'loadbalancer',
  list: 'loadbalancers',
  quota: 'load_balancer',
  fields: {
    name: text(''),
    description: text(''),
    admin_state_up: flag(true),
    vip_subnet_id: text(undefined, fixed),
    vip_address: text(undefined, fixed),
    provider: text('amphora', fixed),
    tags: list([]),
  },
  filters: ['provisioning_status', 'operating_status', 'vip_port_id', 'vip_network_id'],
  creation: {
    first: { provisioning_status: 'PENDING_CREATE', operating_status: 'OFFLINE' },
    next: { provisioning_status: 'ACTIVE', operating_status: 'ONLINE' },
    after: 'loadBalancer',
  },
  update: {
    first: { provisioning_status: 'PENDING_UPDATE' },
    next: { provisioning_status: 'ACTIVE' },
    after: 'loadBalancer',
  },
  deletion: { first: { provisioning_status: 'PENDING_DELETE' }, after: 'loadBalancerEnd' },
  missing: id => octaviaRefusal(404, `Load Balancer ${id} not found.`),
  build: (fields, context, { id, project_id: project }) => {
    const subnet = context.store.get('subnet', String(fields.vip_subnet_id))
    if (fields.vip_subnet_id === undefined)
      throw octaviaRefusal(
        400,
        'Validation failure: VIP must contain one of: vip_port_id, vip_network_id, vip_subnet_id.',
      )
    if (subnet === undefined) throw octaviaRefusal(400, `Subnet ${fields.vip_subnet_id} not found.`)
    const address = fields.vip_address
    const port = createServicePort(
      {
        name: `octavia-lb-${id}`,
        network_id: subnet.network_id,
        device_id: `lb-${id}`,
        device_owner: 'Octavia',
        fixed_ips: [{ subnet_id: subnet.id, ...(typeof address === 'string' && { ip_address: address }) }],
      },
      project,
      context,
    )
    return {
      vip_address: port.fixed_ips[0]?.ip_address,
      vip_port_id: port.id,
      vip_network_id: subnet.network_id,
      pools: [],
      flavor_id: null,
      created_at: time(context),
      updated_at: null,
    }
  },
  change: (balancer, fields) => {
    checkState(balancer)
    return fields
  },
  checkDeletion: (balancer, { store }, query) => {
    const isCascade = /^(?:true|1)$/i.test(query.get('cascade') ?? '')
    const has = store.all('listener').some(listener => listener.loadbalancer_id === balancer.id)
    if (has && !isCascade)
      throw octaviaRefusal(
        400,
        `Validation failure: Cannot delete Load Balancer ${balancer.id} - it has children`,
      )
    checkState(balancer)
  },
  owns: [
    related<'listener', 'loadBalancer'>('listener', (listener, { id }) => listener.loadbalancer_id === id),
    related<'port', 'loadBalancer'>('port', (port, { vip_port_id: id }) => port.id === id),
  ],
  view: (balancer, { store }) => ({
    ...balancer,
    tenant_id: balancer.project_id,
    listeners: store
      .all('listener')
      .filter(listener => listener.loadbalancer_id === balancer.id)
      .map(({ id }) => ({ id })),
  }),
}

const listeners: ResourceKind<'listener'> = {
  kind: 'listener',
  service: 'load-balancer',
  collection: 'listeners',
  member: 'listener',
  list: 'listeners',
  fields: {
    name: text(''),
    description: text(''),
    loadbalancer_id: text(undefined, { required: true, ...fixed }),
    protocol: text(undefined, { required: true, ...fixed }),
    protocol_port: number(undefined, { required: true, ...fixed }),
  },
  missing: id => octaviaRefusal(404, `Listener ${id} not found.`),
  build: ({ loadbalancer_id: id }, { store, holder }) => {
    const balancer = store.get('loadBalancer', String(id))
    if (balancer === undefined || !isOwned(balancer, holder))
      throw octaviaRefusal(404, `Load Balancer ${id} not found.`)
    if (pending(balancer.provisioning_status))
      throw octaviaRefusal(409, `Load Balancer ${id} is immutable and cannot be updated.`)
    return { provisioning_status: 'ACTIVE', operating_status: 'ONLINE' }
  },
  view: listener => ({ ...listener, loadbalancers: [{ id: listener.loadbalancer_id }] }),
}

const shareNetworks: ResourceKind<'shareNetwork'> = {
  kind: 'shareNetwork',
  service: 'share',
  collection: 'share-networks',
  member: 'share_network',
  list: 'share_networks',
  quota: 'share_networks',
  statuses: { created: 200, deleted: 202 },
  fields: {
    name: text(null, { nullable: true }),
    description: text(null, { nullable: true }),
    neutron_net_id: text(null, fixedOrNull),
    neutron_subnet_id: text(null, fixedOrNull),
    availability_zone: text(undefined, fixed),
  },
  missing: id => novaRefusal(404, `Share network ${id} could not be found.`),
  build: (_, context) => ({ created_at: time(context), updated_at: null, status: 'active' }),
  view: ({ id, name, ...others }, _, form) => (form === 'listed' ? { id, name } : { id, name, ...others }),
}

export const smallKinds: readonly ResourceKind[] = [images, loadBalancers, listeners, shareNetworks]
