import type { IpPermission } from '@aws-sdk/client-ec2'
import { type Behaviour, codeOf } from '../behaviour.ts'
import { type FreshVpc, inside, inVpc, nothing, present } from './world.ts'

const tcp = (port: number, ...blocks: string[]): IpPermission => ({
  IpProtocol: 'tcp',
  FromPort: port,
  ToPort: port,
  IpRanges: blocks.map(CidrIp => ({ CidrIp })),
})

const find = async ({ ec2 }: FreshVpc, id: string) =>
  (await ec2.describeSecurityGroups({ GroupIds: [id] })).SecurityGroups?.[0]

const inGroup = (
  see: (
    vpc: FreshVpc & { GroupId: string; allow(...rules: IpPermission[]): Promise<unknown> },
  ) => Promise<unknown>,
): Behaviour['see'] =>
  inVpc(async vpc => {
    const GroupId = await vpc.group()
    const allow = (...IpPermissions: IpPermission[]) =>
      vpc.ec2.authorizeSecurityGroupIngress({ GroupId, IpPermissions })
    return see({ ...vpc, GroupId, allow })
  })

export const securityGroupBehaviours: readonly Behaviour[] = [
  {
    title: 'a new group lets out everything and lets in nothing',
    see: inGroup(async vpc => {
      const group = await find(vpc, vpc.GroupId)
      return [
        group?.IpPermissions,
        group?.IpPermissionsEgress?.map(({ IpProtocol, IpRanges }) => [IpProtocol, IpRanges?.[0]?.CidrIp]),
      ]
    }),
    aws: [[], [['-1', '0.0.0.0/0']]],
  },
  {
    title: 'a name is given once in a VPC',
    see: inGroup(({ group }) => codeOf(group())),
    aws: 'InvalidGroup.Duplicate 400',
  },
  {
    title: 'the name default is taken',
    see: inVpc(({ group }) => codeOf(group('default'))),
    aws: 'InvalidGroup.Reserved 400',
    moto: 'InvalidGroup.Duplicate 400',
  },
  {
    title: 'the default group stays',
    see: inVpc(async ({ ec2, id }) => {
      const { SecurityGroups } = await ec2.describeSecurityGroups({ Filters: inside(id) })
      return codeOf(ec2.deleteSecurityGroup({ GroupId: present(SecurityGroups?.[0]?.GroupId) }))
    }),
    aws: 'CannotDelete 400',
    moto: 'done',
  },
  {
    title: 'permissions with the same protocol and ports are merged',
    see: inGroup(async vpc => {
      await vpc.allow(tcp(443, '10.0.0.0/8'))
      await vpc.allow(tcp(443, '192.168.0.0/16'))
      const group = await find(vpc, vpc.GroupId)
      return group?.IpPermissions?.map(({ IpRanges }) => IpRanges?.map(({ CidrIp }) => CidrIp).toSorted())
    }),
    aws: [['10.0.0.0/8', '192.168.0.0/16']],
  },
  {
    title: 'a permission is given once',
    see: inGroup(async ({ allow }) => [
      await codeOf(allow(tcp(443, '10.0.0.0/8'))),
      await codeOf(allow(tcp(443, '10.0.0.0/8'))),
    ]),
    aws: ['done', 'InvalidPermission.Duplicate 400'],
  },
  {
    title: 'of several permissions none is given if one of them is there',
    see: inGroup(async vpc => {
      await vpc.allow(tcp(443, '10.0.0.0/8'))
      const outcome = await codeOf(vpc.allow(tcp(80, '10.0.0.0/8'), tcp(443, '10.0.0.0/8')))
      return [outcome, (await find(vpc, vpc.GroupId))?.IpPermissions?.map(({ FromPort }) => FromPort)]
    }),
    aws: ['InvalidPermission.Duplicate 400', [443]],
    moto: ['InvalidPermission.Duplicate 400', [443, 80]],
  },
  {
    title: 'a permission that is not there is not taken away',
    see: inGroup(({ ec2, GroupId }) =>
      codeOf(ec2.revokeSecurityGroupIngress({ GroupId, IpPermissions: [tcp(443, '10.0.0.0/8')] })),
    ),
    aws: 'InvalidPermission.NotFound 400',
  },
  {
    title: 'a permission is taken away, from one of its blocks alone',
    see: inGroup(async vpc => {
      await vpc.allow(tcp(443, '10.0.0.0/8', '192.168.0.0/16'))
      await vpc.ec2.revokeSecurityGroupIngress({
        GroupId: vpc.GroupId,
        IpPermissions: [tcp(443, '10.0.0.0/8')],
      })
      return (await find(vpc, vpc.GroupId))?.IpPermissions?.[0]?.IpRanges?.map(({ CidrIp }) => CidrIp)
    }),
    aws: ['192.168.0.0/16'],
  },
  {
    // "Security group rules", VPC user guide: "If you specify 100.68.0.18/18 … we create a rule with 100.68.0.0/18".
    title: 'host bits of a rule are cleared',
    see: inGroup(async vpc => {
      await vpc.allow(tcp(443, '100.68.0.18/18'))
      return (await find(vpc, vpc.GroupId))?.IpPermissions?.[0]?.IpRanges?.[0]?.CidrIp
    }),
    aws: '100.68.0.0/18',
    moto: '100.68.0.18/18',
  },
  {
    title: 'a block that is none is refused in a rule',
    see: inGroup(({ allow }) => codeOf(allow(tcp(443, '10.0.0.0/99')))),
    aws: 'InvalidParameterValue 400',
  },
  {
    title: 'every rule has an id, by which it is described and revoked',
    see: inGroup(async vpc => {
      await vpc.allow(tcp(443, '10.0.0.0/8', '192.168.0.0/16'))
      const rules = async () => {
        const { SecurityGroupRules } = await vpc.ec2.describeSecurityGroupRules({
          Filters: [{ Name: 'group-id', Values: [vpc.GroupId] }],
        })
        return SecurityGroupRules?.filter(({ IsEgress }) => IsEgress === false) ?? []
      }
      const [first] = await rules()
      await vpc.ec2.revokeSecurityGroupIngress({
        GroupId: vpc.GroupId,
        SecurityGroupRuleIds: [present(first?.SecurityGroupRuleId)],
      })
      return [first?.SecurityGroupRuleId?.slice(0, 4), (await rules()).length]
    }),
    aws: ['sgr-', 1],
  },
  {
    title: 'a group that a rule of another names cannot be deleted',
    see: inGroup(async vpc => {
      const other = await vpc.group('bastion')
      await vpc.allow({ IpProtocol: '-1', UserIdGroupPairs: [{ GroupId: other }] })
      return codeOf(vpc.ec2.deleteSecurityGroup({ GroupId: other }))
    }),
    aws: 'DependencyViolation 400',
    moto: 'done',
  },
  {
    title: 'a group that its own rule names can be deleted, and is gone',
    see: inGroup(async vpc => {
      const { GroupId } = vpc
      await vpc.allow({ IpProtocol: '-1', UserIdGroupPairs: [{ GroupId }] })
      return [
        await codeOf(vpc.ec2.deleteSecurityGroup({ GroupId })),
        await codeOf(find(vpc, GroupId)),
        await codeOf(vpc.ec2.deleteSecurityGroup({ GroupId })),
      ]
    }),
    aws: ['done', 'InvalidGroup.NotFound 400', 'InvalidGroup.NotFound 400'],
  },
  {
    title: 'a rule that names an unknown group is refused',
    see: inGroup(({ allow }) =>
      codeOf(allow({ IpProtocol: '-1', UserIdGroupPairs: [{ GroupId: nothing('sg') }] })),
    ),
    aws: 'InvalidGroup.NotFound 400',
  },
  {
    title: 'a group id of no form is refused',
    see: ({ ec2 }) => codeOf(ec2.describeSecurityGroups({ GroupIds: ['nodes'] })),
    aws: 'InvalidGroupId.Malformed 400',
    moto: 'InvalidGroup.NotFound 400',
  },
]
