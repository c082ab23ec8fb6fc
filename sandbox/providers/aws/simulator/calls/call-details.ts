import type { ChangeResourceRecordSetsCommandInput } from '@aws-sdk/client-route-53'
import type { CallRecord } from './call-log.ts'
import { securityRulesIn } from './security-rules.ts'

type ShownInput = CallRecord['input']

/** Returns true if a call changes nothing. */
export const isRead = ({ action }: Pick<CallRecord, 'action'>): boolean =>
  /^(?:Get|List|Describe|Head|AssumeRole)/.test(action)

/**
 * Returns a short summary of a changing call: ` UPSERT A api.example.com → 203.0.113.10`, ` rtb-0a1 0.0.0.0/0 →
 * nat-0b2`. '' for other calls and for inputs without names.
 */
export const detailsOf = (call: Pick<CallRecord, 'action' | 'input'>): string => {
  if (isRead(call)) return ''
  if (call.action === 'ChangeResourceRecordSets') return recordSets(call.input)
  const [subject, ...others] = namesIn(call.input)
  const words = [...(subject === undefined ? [] : [subject]), ...valuesIn(call.input)]
  return `${words.map(word => ` ${word}`).join('')}${others.length === 0 ? '' : ` → ${others.join(', ')}`}`
}

const recordSets = (input: ShownInput): string => {
  // The codec has parsed the input with the operation's own schema.
  const { ChangeBatch } = input as Partial<ChangeResourceRecordSetsCommandInput>
  return (ChangeBatch?.Changes ?? [])
    .map(({ Action, ResourceRecordSet: set }) => {
      const to =
        set?.AliasTarget?.DNSName ?? (set?.ResourceRecords ?? []).map(({ Value }) => Value).join(', ')
      return ` ${Action} ${set?.Type} ${set?.Name?.replaceAll('\\052', '*')} → ${to}`
    })
    .join(';')
}

/** Members of all services that contain names. The first existing one is the subject of the call. */
const nameMembers = [
  ...[
    'Resources',
    'PolicyName',
    'RoleName',
    'InstanceProfileName',
    'KeyName',
    'GroupName',
    'LoadBalancerName',
  ],
  ...[
    'LoadBalancerArn',
    'TargetGroupArn',
    'ListenerArn',
    'Bucket',
    'CreationToken',
    'RouteTableId',
    'GroupId',
  ],
  ...['AssociationId', 'InternetGatewayId', 'EgressOnlyInternetGatewayId', 'NatGatewayId', 'DhcpOptionsId'],
  ...[
    'VpcEndpointIds',
    'VpcEndpointId',
    'MountTargetId',
    'FileSystemId',
    'NetworkInterfaceId',
    'InstanceIds',
  ],
  ...['SubnetId', 'AllocationId', 'GatewayId', 'VpcId'],
]

const namesIn = (input: ShownInput): readonly string[] => {
  const tag = nameTag(input)
  const members = nameMembers.flatMap(member => textsOf(input[member]))
  return tag === undefined ? members : [tag, ...members.filter(name => name !== tag)]
}

const textsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter(item => typeof item === 'string' && item !== '')

interface ShownTag {
  readonly Key?: string
  readonly Value?: string
}

const tagsOf = (value: unknown): readonly ShownTag[] => (Array.isArray(value) ? value : [])

/** The name of a new resource. */
const nameTag = ({ TagSpecifications }: ShownInput): string | undefined =>
  (Array.isArray(TagSpecifications) ? TagSpecifications : [])
    .flatMap(({ Tags }: { readonly Tags?: unknown }) => tagsOf(Tags))
    .find(({ Key }) => Key === 'Name')?.Value

const valueMembers = [
  ...[
    'CidrBlock',
    'Ipv6CidrBlock',
    'Cidr',
    'DestinationCidrBlock',
    'DestinationIpv6CidrBlock',
    'ServiceName',
  ],
  ...['PolicyArn', 'Key'],
]

const valuesIn = (input: ShownInput): readonly string[] => {
  const tags = input.TagSpecifications === undefined ? tagsOf(input.Tags) : []
  return [
    ...valueMembers.flatMap(member => textsOf(input[member])),
    ...tags.map(({ Key, Value }) => (Value === undefined ? String(Key) : `${Key}=${Value}`)),
    ...Object.entries(input).flatMap(([name, value]) => attribute(name, value)),
    ...securityRulesIn(input.IpPermissions),
  ]
}

/** Formats attributes in the form of EC2: `EnableDnsSupport: { Value: true }`. */
const attribute = (name: string, value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null || !('Value' in value)) return []
  return typeof value.Value === 'boolean' ? [`${name}=${value.Value}`] : []
}
