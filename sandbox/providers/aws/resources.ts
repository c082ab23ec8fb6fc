import { recordOf, stringOf } from '../../../shared/decode/record-of.ts'
import type { CloudResource, ResourcesOf } from '../provider.ts'

const group = 'aws.provider.extensions.gardener.cloud'

/** Reads the resources in AWS that an object names. */
export const awsResources: ResourcesOf = ({ kind, metadata, spec, status }) => {
  const { type } = recordOf(spec)
  switch (kind) {
    case 'Infrastructure':
      return type === 'aws' ? ofNetwork(recordOf(recordOf(status).state)) : []
    case 'DNSRecord':
      return type === 'aws-route53' ? ofRecord(recordOf(spec), recordOf(status)) : []
    case 'BackupBucket':
      return type === 'aws' ? [{ type: 'S3 bucket', id: metadata.name }] : []
    case 'BackupEntry': {
      const bucket = stringOf(recordOf(spec).bucketName)
      return type !== 'aws' || bucket === ''
        ? []
        : [
            { type: 'S3 bucket', id: bucket },
            { type: 'S3 prefix', id: `${bucket}/${metadata.name}`, within: bucket },
          ]
    }
    case 'Bastion': {
      const { hostname, ip } = recordOf(recordOf(status).ingress)
      const address = stringOf(ip) || stringOf(hostname)
      return type === 'aws' && address !== '' ? [{ type: 'EC2 instance with address', id: address }] : []
    }
    case 'Machine':
      return ofMachine(stringOf(recordOf(spec).providerID))
    default:
      return []
  }
}

/** `aws:///eu-west-1/i-0a1b`; some versions of the machine controller write the zone instead of the region. */
const ofMachine = (providerId: string): readonly CloudResource[] => {
  const [, place = '', id] = /^aws:\/\/\/([^/]*)\/(i-[0-9a-z]+)$/.exec(providerId) ?? []
  if (id === undefined) return []
  return [{ type: 'EC2 instance', id, ...(/\d[a-z]$/.test(place) && { zone: place }) }]
}

const ofRecord = (
  { name, recordType }: Readonly<Record<string, unknown>>,
  { zone }: Readonly<Record<string, unknown>>,
): readonly CloudResource[] => {
  const id = stringOf(zone)
  if (id === '') return []
  return [
    { type: 'Route 53 hosted zone', id },
    { type: `${stringOf(recordType) || 'DNS'} record`, id: stringOf(name), within: id },
  ]
}

/** The keys of the state that name a resource, without its zone (docs/infrastructure.md). */
const types: Readonly<Record<string, string>> = {
  VPC: 'VPC',
  DHCPOptions: 'DHCP options',
  DefaultSecurityGroup: 'default security group',
  InternetGateway: 'internet gateway',
  EgressOnlyInternetGateway: 'egress-only internet gateway',
  MainRouteTable: 'main route table',
  NodesSecurityGroup: 'security group of the nodes',
  efsSystemID: 'EFS file system',
  KeyPair: 'key pair',
  IAMRoleName: 'IAM role',
  IAMInstanceProfileName: 'IAM instance profile',
  SubnetWorkers: 'subnet of the workers',
  SubnetPublicUtility: 'public subnet',
  SubnetPrivateUtility: 'internal subnet',
  ZoneRouteTable: 'route table',
  NATGateway: 'NAT gateway',
  NATGatewayElasticIP: 'elastic IP address',
}

/** Resources outside of the VPC. An address belongs to the NAT gateway. */
const outside: ReadonlySet<string> = new Set([
  'VPC',
  'DHCPOptions',
  'KeyPair',
  'IAMRoleName',
  'IAMInstanceProfileName',
  'efsSystemID',
])

const ofNetwork = ({ apiVersion, data }: Readonly<Record<string, unknown>>): readonly CloudResource[] => {
  if (!stringOf(apiVersion).startsWith(`${group}/`)) return []
  const state = recordOf(data)
  const vpc = stringOf(state.VPC)
  return Object.entries(state).flatMap(([key, value]): readonly CloudResource[] => {
    const [, zone, name = key] = /^Zones\/([^/]+)\/([^/]+)$/.exec(key) ?? []
    const type = typeOf(name)
    const id = stringOf(value)
    if (type === undefined || id === '') return []
    const within = withinOf(name, zone, state) ?? vpc
    return [
      {
        type,
        id,
        ...(zone !== undefined && { zone }),
        ...(!outside.has(name) && within !== '' && { within }),
      },
    ]
  })
}

const typeOf = (name: string): string | undefined => {
  if (name.startsWith('VPCEndpoints/')) return `gateway endpoint for ${name.slice('VPCEndpoints/'.length)}`
  if (name.startsWith('efsMountTargets/')) return 'EFS mount target'
  return Object.hasOwn(types, name) ? types[name] : undefined
}

const withinOf = (
  name: string,
  zone: string | undefined,
  state: Readonly<Record<string, unknown>>,
): string | undefined => {
  const inZone = (key: string) => stringOf(state[`Zones/${zone ?? ''}/${key}`]) || undefined
  switch (name) {
    case 'NATGateway':
      return inZone('SubnetPublicUtility')
    case 'NATGatewayElasticIP':
      return inZone('NATGateway')
    default:
      return undefined
  }
}
