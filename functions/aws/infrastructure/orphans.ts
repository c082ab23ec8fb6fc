import type { Infrastructure } from '../../../shared/contract/objects.ts'
import { recordOf } from '../../../shared/decode/record-of.ts'

/** Prefixes of ids in AWS. A resource that AWS deletes with another one has no entry. */
const typesById: Readonly<Record<string, string>> = {
  vpc: 'VPC',
  igw: 'internet gateway',
  eigw: 'egress-only internet gateway',
  subnet: 'subnet',
  nat: 'NAT gateway',
  eipalloc: 'elastic IP address',
  rtb: 'route table',
  sg: 'security group',
  vpce: 'VPC endpoint',
  dopt: 'DHCP options',
  fs: 'file system',
}

/** State keys of names, which have no prefix. */
const typesByKey: Readonly<Record<string, string>> = {
  IAMRoleName: 'IAM role',
  IAMInstanceProfileName: 'IAM instance profile',
  KeyPair: 'key pair',
}

/** State keys of resources that belong to the user if the VPC does. */
const partsOfVpc: ReadonlySet<string> = new Set(['VPC', 'InternetGateway', 'EgressOnlyInternetGateway'])

/**
 * Names the resources that the state records, without those of the user, and those that only their tag identifies. The
 * state may be damaged: its values are only shown.
 */
export const infrastructureOrphans = ({
  metadata: { namespace = '' },
  spec,
  status,
}: Pick<Infrastructure, 'metadata' | 'spec' | 'status'>): readonly string[] => {
  const state = recordOf(recordOf(status?.state).data)
  const config = JSON.stringify(spec.providerConfig ?? {})
  // Only a VPC of ours has DHCP options and an emptied default group.
  const isOurVpc = state.DHCPOptions !== undefined || state.DefaultSecurityGroup !== undefined
  const recorded = Object.entries(state).flatMap(([key, value]) => {
    if (typeof value !== 'string' || key === 'DefaultSecurityGroup') return []
    const type = typesByKey[key] ?? typesById[/^([a-z]+)-[0-9a-f]+$/.exec(value)?.[1] ?? '']
    const isForeign =
      state[`Foreign/${key}`] === value ||
      config.includes(JSON.stringify(value)) ||
      (!isOurVpc && partsOfVpc.has(key))
    return type === undefined || isForeign ? [] : [`${type} ${value}`]
  })
  return [
    ...new Set(recorded),
    `resources of the shoot’s controllers with the tag kubernetes.io/cluster/${namespace}`,
  ]
}
