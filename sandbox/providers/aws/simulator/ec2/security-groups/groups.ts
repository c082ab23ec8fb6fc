import type {
  CreateSecurityGroupRequest,
  CreateSecurityGroupResult,
  DeleteSecurityGroupRequest,
  DeleteSecurityGroupResult,
  DescribeSecurityGroupsRequest,
  DescribeSecurityGroupsResult,
} from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import type { Ec2 } from '../core/context.ts'
import { find } from '../core/describe/find.ts'
import { listRows } from '../core/describe/list.ts'
import { checkLimit, invalidValue } from '../core/refusals.ts'
import { acceptsTags } from '../core/requests/accepts.ts'
import { operation } from '../core/requests/operation.ts'
import type { SecurityGroup, Vpc } from '../rows/network.ts'
import { newTags, tagsOut } from '../tags/tag-rules.ts'
import { newGroup } from './new-group.ts'
import { groupFields, groupView } from './view.ts'

export const defaultVpc = (ec2: Ec2): Vpc | undefined =>
  ec2.tables.vpcs.all().find(({ isDefault }) => isDefault)

/** Returns a group by name. This works only in the default VPC. */
export const groupByName = (ec2: Ec2, name: string): SecurityGroup => {
  const vpc = defaultVpc(ec2)
  const group = ec2.tables.securityGroups.by('group-name', name).find(({ vpcId }) => vpcId === vpc?.id)
  if (!group) {
    throw refuse(
      'InvalidGroup.NotFound',
      `The security group '${name}' does not exist in default VPC ${vpc ? `'${vpc.id}'` : ''}`.trimEnd(),
    )
  }
  return group
}

/** Names and descriptions: "CreateSecurityGroup", API reference. */
const characters = /^[a-zA-Z0-9. _\-:/()#,@[\]+=&;{}!$*]{1,255}$/
const characterText = 'a-zA-Z0-9. _-:/()#,@[]+=&;{}!$*'

const checkNames = ({
  GroupName: name = '',
  Description: description = '',
}: CreateSecurityGroupRequest): void => {
  if (!characters.test(name)) {
    throw invalidValue(
      `Value (${name}) for parameter GroupName is invalid. Character sets beyond ASCII are not supported.`,
    )
  }
  if (name === 'default') {
    throw refuse('InvalidGroup.Reserved', `The security group '${name}' is reserved`)
  }
  if (!characters.test(description)) {
    throw invalidValue(
      `Invalid security group description. Valid descriptions are strings less than 256 characters from the following set:  ${characterText}`,
    )
  }
}

const vpcOf = (ec2: Ec2, id: string | undefined): Vpc => {
  if (id !== undefined) return find(ec2, 'vpcs', id)
  const vpc = defaultVpc(ec2)
  if (!vpc) throw refuse('VPCIdNotSpecified', 'No default VPC for this user')
  return vpc
}

/** Returns true if other groups' rules or interfaces refer to the group. It cannot be deleted then. */
const isInUse = ({ tables }: Ec2, { id }: SecurityGroup): boolean =>
  tables.networkInterfaces.by('group-id', id).length > 0 ||
  tables.securityGroups.by('referenced-group', id).some(other => other.id !== id)

export const securityGroupOperations = {
  CreateSecurityGroup: operation<CreateSecurityGroupRequest, CreateSecurityGroupResult>(
    { GroupName: true, Description: true, VpcId: true, TagSpecifications: acceptsTags },
    (input, ec2) => {
      checkNames(input)
      const vpc = vpcOf(ec2, input.VpcId)
      const name = input.GroupName ?? ''
      if (ec2.tables.securityGroups.by('group-name', name).some(({ vpcId }) => vpcId === vpc.id)) {
        throw refuse(
          'InvalidGroup.Duplicate',
          `The security group '${name}' already exists for VPC '${vpc.id}'`,
        )
      }
      const tags = newTags(input.TagSpecifications, 'security-group')
      checkLimit(ec2.tables.securityGroups.size, ec2.limits.securityGroups, () =>
        refuse('SecurityGroupLimitExceeded', 'The maximum number of security groups has been reached.'),
      )
      const group = newGroup(ec2, vpc, { name, description: input.Description ?? '', tags })
      return {
        GroupId: group.id,
        SecurityGroupArn: ec2.arn('security-group', group.id),
        Tags: tagsOut(group.tags),
      }
    },
  ),
  DescribeSecurityGroups: operation<DescribeSecurityGroupsRequest, DescribeSecurityGroupsResult>(
    { GroupIds: true, GroupNames: true, Filters: true, MaxResults: true, NextToken: true },
    (input, ec2) => {
      const ids = [
        ...(input.GroupIds ?? []),
        ...(input.GroupNames ?? []).map(name => groupByName(ec2, name).id),
      ]
      const { items, next } = listRows(ec2, 'securityGroups', groupFields(ec2), {
        ...input,
        ids,
        idsName: 'groupIds',
        filters: input.Filters,
      })
      return { SecurityGroups: items.map(group => groupView(ec2, group)), NextToken: next }
    },
  ),
  DeleteSecurityGroup: operation<DeleteSecurityGroupRequest, DeleteSecurityGroupResult>(
    { GroupId: true, GroupName: true },
    (input, ec2) => {
      const group =
        input.GroupId === undefined
          ? groupByName(ec2, input.GroupName ?? '')
          : find(ec2, 'securityGroups', input.GroupId)
      if (group.name === 'default') {
        throw refuse(
          'CannotDelete',
          `the specified group: "${group.id}" name: "default" cannot be deleted by a user`,
        )
      }
      if (isInUse(ec2, group)) {
        throw refuse('DependencyViolation', `resource ${group.id} has a dependent object`)
      }
      ec2.tables.securityGroups.remove(group.id)
      return { Return: true, GroupId: group.id }
    },
  ),
}
