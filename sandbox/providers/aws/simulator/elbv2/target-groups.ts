import type {
  CreateTargetGroupInput,
  CreateTargetGroupOutput,
  DeleteTargetGroupInput,
  DescribeTargetGroupsInput,
  DescribeTargetGroupsOutput,
  TargetGroup as TargetGroupOutput,
} from '@aws-sdk/client-elastic-load-balancing-v2'
import { pageOf } from '../elb/pages.ts'
import { newTags } from '../elb/tags.ts'
import { notBuilt } from '../serve/not-built.ts'
import { refuse } from '../service.ts'
import { balancersOf, type Elbv2Call, findTargetGroup } from './find.ts'
import type { TargetGroup } from './state.ts'

const describe = (group: TargetGroup, call: Elbv2Call): TargetGroupOutput => ({
  TargetGroupArn: group.arn,
  TargetGroupName: group.name,
  ...group.settings,
  LoadBalancerArns: [...balancersOf(call, group)],
})

export const createTargetGroup = (
  { Name = '', Tags, ...settings }: CreateTargetGroupInput,
  call: Elbv2Call,
): CreateTargetGroupOutput => {
  const tags = newTags(Tags)
  if (call.state.targetGroups.some(({ name }) => name === Name)) {
    throw notBuilt('a second target group of the same name')
  }
  const { region, principal } = call
  const id = call.newId(16, '0123456789abcdef')
  const group: TargetGroup = {
    settings,
    tags,
    name: Name,
    arn: `arn:aws:elasticloadbalancing:${region}:${principal.accountId}:targetgroup/${Name}/${id}`,
  }
  call.state.targetGroups = [...call.state.targetGroups, group]
  return { TargetGroups: [describe(group, call)] }
}

export const describeTargetGroups = (
  input: DescribeTargetGroupsInput,
  call: Elbv2Call,
): DescribeTargetGroupsOutput => {
  const found = input.TargetGroupArns?.map(arn => findTargetGroup(call, arn)) ?? call.state.targetGroups
  const { page, next } = pageOf(found, ({ arn }) => arn, input)
  return { TargetGroups: page.map(group => describe(group, call)), ...next }
}

/** Succeeds also if the group does not exist. */
export const deleteTargetGroup = (input: DeleteTargetGroupInput, call: Elbv2Call): object => {
  const { state } = call
  const gone = state.targetGroups.find(({ arn }) => arn === input.TargetGroupArn)
  if (!gone) return {}
  if (balancersOf(call, gone).length > 0) {
    throw refuse('ResourceInUse', `Target group '${gone.arn}' is currently in use by a listener or a rule`)
  }
  state.targetGroups = state.targetGroups.filter(group => group !== gone)
  return {}
}
