import type { Infrastructure } from '../../../shared/contract/objects.ts'
import { recordOf } from '../../../shared/decode/record-of.ts'

/** State keys of resources, in the order of their creation. */
const kinds: Readonly<Record<string, string>> = {
  Network: 'network',
  Router: 'router',
  Subnet: 'subnet',
  SubnetIPv6: 'subnet',
  SubnetIPv6Pod: 'subnet',
  SubnetIPv6Svc: 'subnet',
  SecurityGroup: 'security group',
  KeyPair: 'key pair',
  ShareNetwork: 'share network',
}

/**
 * Names the resources that the state records, without those of the user, and those that only their names identify. The
 * state may be damaged: its values are only shown.
 */
export const infrastructureOrphans = ({
  metadata: { namespace = '' },
  spec,
  status,
}: Pick<Infrastructure, 'metadata' | 'spec' | 'status'>): readonly string[] => {
  const state = recordOf(recordOf(status?.state).data)
  const config = JSON.stringify(spec.providerConfig ?? {})
  return [
    ...Object.entries(kinds).flatMap(([key, kind]) => {
      const { [key]: value } = state
      const isForeign = config.includes(JSON.stringify(value))
      return typeof value === 'string' && value !== '' && !isForeign ? [`${kind} ${value}`] : []
    }),
    `load balancers and routes of the shoot’s controllers, named kube_service_${namespace}_…`,
  ]
}
