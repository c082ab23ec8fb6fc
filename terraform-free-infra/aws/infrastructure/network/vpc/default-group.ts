import {
  DescribeSecurityGroupsCommand,
  type IpPermission,
  RevokeSecurityGroupEgressCommand,
  RevokeSecurityGroupIngressCommand,
  type SecurityGroup,
} from '@aws-sdk/client-ec2'
import type { Change, Found, ResourceType } from '../../../../engine/engine.ts'
import type { AwsCloud } from '../../cloud.ts'
import type { NetworkReads } from '../reads.ts'
import type { VpcOutcome } from './vpc.ts'

interface DefaultGroup {
  readonly id: string
}
/** EC2's permissions as JSON, so that a plan shows all rules to revoke. */
type DefaultGroupAttributes = { readonly ingress: string; readonly egress: string }

/** The desired rules of the default group: it allows no traffic. */
export const noRules: DefaultGroupAttributes = { ingress: '[]', egress: '[]' }

/** The default group of the managed VPC. It is created and deleted with the VPC. */
export const defaultGroupType = (
  reads: NetworkReads,
): ResourceType<AwsCloud, DefaultGroupAttributes, DefaultGroup, { vpc: VpcOutcome }> => ({
  what: 'default security group',
  list: async ({ read }) =>
    (await read(reads.securityGroups)).filter(({ GroupName }) => GroupName === 'default').map(foundGroup),
  create: async ({ cloud, signal, needs }) => {
    const { SecurityGroups = [] } = await cloud.ec2.send(
      new DescribeSecurityGroupsCommand({
        Filters: [
          { Name: 'vpc-id', Values: [needs.vpc.id] },
          { Name: 'group-name', Values: ['default'] },
        ],
      }),
      { abortSignal: signal },
    )
    const [group] = SecurityGroups
    if (group === undefined) throw new Error(`the VPC ${needs.vpc.id} has no default security group`)
    return foundGroup(group)
  },
  update: async ({ cloud, signal, found: { id: GroupId }, changes }) => {
    for (const change of changes) {
      const revocation = { GroupId, IpPermissions: permissionsOf(change) }
      if (change.attribute === 'ingress') {
        await cloud.ec2.send(new RevokeSecurityGroupIngressCommand(revocation), { abortSignal: signal })
      } else {
        await cloud.ec2.send(new RevokeSecurityGroupEgressCommand(revocation), { abortSignal: signal })
      }
    }
    return undefined
  },
  remembers: key => key === 'DefaultSecurityGroup',
})

const foundGroup = ({
  GroupId: id = '',
  IpPermissions = [],
  IpPermissionsEgress = [],
}: SecurityGroup): Found<DefaultGroupAttributes, DefaultGroup> => ({
  id,
  key: 'default',
  status: 'ready',
  attributes: { ingress: JSON.stringify(IpPermissions), egress: JSON.stringify(IpPermissionsEgress) },
  outcome: { id },
  ours: 'proved',
})

/** Reads the JSON that `foundGroup` wrote. */
const permissionsOf = ({ before }: Change): IpPermission[] =>
  typeof before === 'string' ? (JSON.parse(before) as IpPermission[]) : []
