import { recordsOf } from '../../../../../shared/decode/record-of.ts'
import type { KindContext } from '../core/context.ts'
import { fixed, flag, list, text } from '../core/field-types.ts'
import type { CloudItem, PortItem } from '../core/items.ts'
import { type ItemFields, isOwned, type ResourceKind } from '../core/kind.ts'
import { neutronRefusal } from '../core/refusal.ts'
import { type AskedIp, askedAddresses, usualAddresses } from './addresses.ts'
import { networkOf, noGroup, noPort, standardFields } from './refusals.ts'
import { defaultGroupOf, ensureDefaultGroup } from './security-groups.ts'
import { tagActionsOf } from './tags.ts'

export const ports: ResourceKind<'port'> = {
  kind: 'port',
  service: 'network',
  collection: 'ports',
  member: 'port',
  list: 'ports',
  quota: 'port',
  fields: {
    name: text(''),
    description: text(''),
    network_id: text(undefined, { required: true, ...fixed }),
    admin_state_up: flag(true),
    mac_address: text(),
    fixed_ips: list(),
    device_id: text(''),
    device_owner: text(''),
    security_groups: list(),
    allowed_address_pairs: list([]),
    extra_dhcp_opts: list([]),
    port_security_enabled: flag(),
    'binding:vnic_type': text('normal'),
  },
  filters: ['status'],
  missing: noPort,
  // The owner of a network sees all of its ports.
  isVisible: (port, holder, { store }) => {
    const network = store.get('network', port.network_id)
    return isOwned(port, holder) || (network !== undefined && isOwned(network, holder))
  },
  build: (fields, context, base) => {
    const network = networkOf(fields.network_id, context)
    const ofService = context.holder.isOperator
    if (!ofService && !network.shared && !isOwned(network, context.holder))
      throw neutronRefusal(403, 'PolicyNotAuthorized', 'rule:create_port is disallowed by policy')
    const owner = String(fields.device_owner)
    const mac = typeof fields.mac_address === 'string' ? fields.mac_address : newMac(context)
    const port = { network_id: network.id, mac_address: mac, device_owner: owner }
    const isSecured = !owner.startsWith('network:')
    return {
      ...port,
      fixed_ips: Array.isArray(fields.fixed_ips)
        ? askedAddresses(port, askedIn(fields), context)
        : usualAddresses(port, context),
      security_groups: isSecured ? groupsOf(fields, base.project_id, context) : [],
      port_security_enabled: fields.port_security_enabled ?? isSecured,
      // Only a device makes a port active.
      status: typeof fields.status === 'string' ? fields.status : 'DOWN',
      ...standardFields(context),
    }
  },
  change: (port, fields, context) => ({
    ...fields,
    ...(fields.fixed_ips !== undefined && {
      fixed_ips: askedAddresses(port, askedIn(fields), context, port.fixed_ips),
    }),
    ...(fields.security_groups !== undefined && {
      security_groups: groupsOf(fields, port.project_id, context),
    }),
  }),
  view: port => ({ ...port, tenant_id: port.project_id }),
  filter: (port, name, values) => {
    if (name === 'security_groups') return values.some(id => port.security_groups.includes(id))
    if (name !== 'fixed_ips') return undefined
    // `subnet_id=…` or `ip_address=…`; values of one name are alternatives.
    return ['subnet_id', 'ip_address'].every(field => {
      const asked = values.filter(value => value.startsWith(`${field}=`))
      return (
        asked.length === 0 ||
        port.fixed_ips.some(ip =>
          asked.includes(`${field}=${field === 'subnet_id' ? ip.subnet_id : ip.ip_address}`),
        )
      )
    })
  },
  checkDeletion: ({ id, device_owner: owner }) => {
    if (/^network:(?:router|floatingip)/.test(owner))
      throw neutronRefusal(
        409,
        'ServicePortInUse',
        `Port ${id} cannot be deleted directly via the port API: has device owner ${owner}.`,
      )
  },
  ended: ({ id }, { store }) => {
    for (const address of store.all('floatingIp'))
      if (address.port_id === id)
        store.patch('floatingIp', address.id, {
          port_id: null,
          router_id: null,
          fixed_ip_address: null,
          port_details: null,
        })
  },
  actions: tagActionsOf('port'),
}

const askedIn = ({ fixed_ips: asked }: ItemFields): readonly AskedIp[] =>
  recordsOf(asked).map(ip => ({
    ...(typeof ip.subnet_id === 'string' && { subnet_id: ip.subnet_id }),
    ...(typeof ip.ip_address === 'string' && { ip_address: ip.ip_address }),
  }))

const groupsOf = (
  { security_groups: asked }: ItemFields,
  project: string,
  context: KindContext,
): readonly string[] => {
  if (!Array.isArray(asked)) {
    ensureDefaultGroup(project, context)
    const group = defaultGroupOf(project, context)
    return group === undefined ? [] : [group.id]
  }
  const missing = asked.filter(id => context.store.get('securityGroup', String(id))?.project_id !== project)
  if (missing.length > 0) throw noGroup(missing.join(', '))
  return asked.map(String)
}

/** Neutron's own prefix of hardware addresses. */
const newMac = (context: KindContext): string =>
  ['fa', '16', '3e', ...[...context.random(3)].map(byte => byte.toString(16).padStart(2, '0'))].join(':')

/** Creates a port of a service, such as the interface of a router, which is active after the usual delay. */
export const createServicePort = (fields: ItemFields, project: string, context: KindContext): PortItem => {
  const port: CloudItem = context.create('port', fields, project)
  activate(port.id, context)
  // The kind is the one that was asked for.
  return context.store.get('port', port.id) as PortItem
}

/** Makes a port active after the usual delay. */
export const activate = (id: string, context: KindContext): void => {
  if (context.holder.isOperator) context.store.patch('port', id, { status: 'ACTIVE' })
  else
    context.later({ kind: 'port', id, after: 'port', from: { status: 'DOWN' }, fields: { status: 'ACTIVE' } })
}
