import { recordOf, stringOf } from '../../../shared/decode/record-of.ts'
import type { CloudResource, ResourcesOf } from '../provider.ts'

const group = 'openstack.provider.extensions.gardener.cloud'

/** Reads the resources in OpenStack that an object names. */
export const openstackResources: ResourcesOf = ({ kind, metadata, spec, status }) => {
  const { type, bucketName, providerID } = recordOf(spec)
  if (kind === 'Machine') return ofMachine(stringOf(providerID))
  if (kind === 'DNSRecord')
    return type === 'openstack-designate' ? ofRecord(recordOf(spec), recordOf(status)) : []
  if (type !== 'openstack') return []
  switch (kind) {
    case 'Infrastructure':
      return ofNetwork(recordOf(recordOf(status).state))
    case 'BackupBucket':
      return [{ type: 'Swift container', id: metadata.name }]
    case 'BackupEntry': {
      const id = stringOf(bucketName)
      if (id === '') return []
      return [
        { type: 'Swift container', id },
        { type: 'Swift prefix', id: `${id}/${metadata.name}`, within: id },
      ]
    }
    case 'Bastion': {
      const address = stringOf(recordOf(recordOf(status).ingress).ip)
      return address === '' ? [] : [{ type: 'server with floating IP', id: address }]
    }
    case 'Worker':
      return ofWorker(recordOf(recordOf(status).providerStatus))
    default:
      return []
  }
}

/** `openstack:///RegionOne/<id>` */
const ofMachine = (providerId: string): readonly CloudResource[] => {
  const [, id] = /^openstack:\/\/\/[^/]*\/([0-9a-f-]+)$/.exec(providerId) ?? []
  return id === undefined ? [] : [{ type: 'server', id }]
}

const ofRecord = (
  { name, recordType }: Readonly<Record<string, unknown>>,
  { zone }: Readonly<Record<string, unknown>>,
): readonly CloudResource[] => {
  const id = stringOf(zone)
  if (id === '') return []
  return [
    { type: 'Designate zone', id },
    { type: `${stringOf(recordType) || 'DNS'} record`, id: stringOf(name), within: id },
  ]
}

/** The keys of the state that name a resource. */
const types: Readonly<Record<string, string>> = {
  Router: 'router',
  Network: 'network',
  Subnet: 'subnet',
  SubnetIPv6: 'IPv6 subnet of the nodes',
  SubnetIPv6Pod: 'IPv6 subnet of the pods',
  SubnetIPv6Svc: 'IPv6 subnet of the services',
  SecurityGroup: 'security group of the nodes',
  KeyPair: 'key pair',
  ShareNetwork: 'share network',
}

const ofNetwork = ({ apiVersion, data }: Readonly<Record<string, unknown>>): readonly CloudResource[] => {
  if (!stringOf(apiVersion).startsWith(`${group}/`)) return []
  const state = recordOf(data)
  const network = stringOf(state.Network)
  return Object.entries(types).flatMap(([key, type]) => {
    const id = stringOf(state[key])
    if (id === '') return []
    return [{ type, id, ...(key.startsWith('Subnet') && network !== '' && { within: network }) }]
  })
}

const ofWorker = ({ serverGroupDependencies }: Readonly<Record<string, unknown>>): readonly CloudResource[] =>
  (Array.isArray(serverGroupDependencies) ? serverGroupDependencies : []).flatMap(dependency => {
    const id = stringOf(recordOf(dependency).id)
    return id === '' ? [] : [{ type: 'server group', id }]
  })
