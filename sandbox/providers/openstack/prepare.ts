import * as z from 'zod'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { SimulatedOpenStack } from './simulator/openstack.ts'

const record = z.object({
  spec: z.object({ name: z.string().min(1), zone: z.string().optional() }),
  status: z.object({ zone: z.string().optional() }).optional(),
})

/** Creates the resources that an object expects in an otherwise empty account. */
export const prepareFor = (
  openstack: SimulatedOpenStack,
  object: KubernetesObject,
  cluster: KubernetesObject | undefined,
): void => {
  if (object.kind === 'DNSRecord') giveZoneOf(openstack, object)
  if (object.kind === 'Bastion' && cluster !== undefined) giveNetworkOf(openstack, object)
}

/** Adds the zone in the spec or the status of a DNSRecord, or one for its name. */
const giveZoneOf = (openstack: SimulatedOpenStack, object: KubernetesObject): void => {
  const parsed = record.safeParse(object).data
  if (parsed === undefined) return
  const id = parsed.spec.zone || parsed.status?.zone
  const name = `${parsed.spec.name.toLowerCase().replace(/\.$/, '')}.`
  const isWithin = (zone: { readonly name: string }) => name === zone.name || name.endsWith(`.${zone.name}`)
  const zones = openstack.resources('zone')
  if (zones.some(zone => (id === undefined ? isWithin(zone) : zone.id === id))) return
  const labels = name.split('.')
  const zoneName = labels.length > 3 ? labels.slice(1).join('.') : name
  // A zone of that name may have another id, which the caller replaces.
  if (zones.some(zone => zone.name === zoneName)) return
  openstack.add('zone', { ...(id !== undefined && { id }), name: zoneName, email: 'dns@example.com' })
}

/** Adds the network of the shoot of a Bastion. */
const giveNetworkOf = (openstack: SimulatedOpenStack, { metadata }: KubernetesObject): void => {
  const name = metadata.namespace ?? ''
  if (openstack.resources('network').some(network => network.name === name)) return
  const network = openstack.add('network', { name })
  openstack.add('subnet', { name, network_id: network.id, cidr: '10.250.0.0/16' })
  openstack.add('securityGroup', { name, description: 'Cluster Nodes' })
}
