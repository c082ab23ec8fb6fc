import type {
  CreateTargetGroupInput,
  CreateTargetGroupOutput,
  DeleteTargetGroupInput,
  DescribeTargetGroupsInput,
  DescribeTargetGroupsOutput,
  TargetGroup as TargetGroupOutput,
} from '@aws-sdk/client-elastic-load-balancing-v2'
import { ec2Of } from '../ec2/network-interfaces.ts'
import { pageOf } from '../elb/pages.ts'
import { checkName } from '../elb/placement.ts'
import { withTags } from '../elb/tags.ts'
import { refuse } from '../service.ts'
import { balancersOf, type Elbv2Call, findLoadBalancer, findTargetGroup } from './find.ts'
import type { TargetGroup } from './state.ts'

const invalid = (message: string) => refuse('ValidationError', message, { status: 400 })

const protocols = ['HTTP', 'HTTPS', 'TCP', 'TLS', 'UDP', 'TCP_UDP', 'GENEVE']
const isHttp = (protocol: string | undefined): boolean => protocol === 'HTTP' || protocol === 'HTTPS'

/** Fills in the default health check ("CreateTargetGroup", API reference 2015-12-01). */
const withDefaults = (settings: TargetGroup['settings']): TargetGroup['settings'] => {
  const { Protocol, TargetType = 'instance' } = settings
  const checked =
    settings.HealthCheckProtocol ?? (isHttp(Protocol) || TargetType === 'lambda' ? 'HTTP' : 'TCP')
  const interval = TargetType === 'lambda' ? 35 : 30
  return {
    TargetType,
    IpAddressType: 'ipv4',
    HealthCheckEnabled: TargetType !== 'lambda',
    HealthCheckProtocol: checked,
    HealthCheckPort: 'traffic-port',
    HealthCheckIntervalSeconds: interval,
    HealthCheckTimeoutSeconds: isHttp(checked) ? (isHttp(Protocol) ? 5 : 6) : 10,
    HealthyThresholdCount: 5,
    UnhealthyThresholdCount: 2,
    ...(isHttp(checked)
      ? { HealthCheckPath: '/', Matcher: { HttpCode: isHttp(Protocol) ? '200' : '200-399' } }
      : {}),
    ...(isHttp(Protocol) ? { ProtocolVersion: 'HTTP1' } : {}),
    ...settings,
  }
}

const check = (settings: TargetGroup['settings'], call: Elbv2Call): void => {
  const { Protocol, Port, VpcId, TargetType = 'instance' } = settings
  if (!['instance', 'ip', 'lambda', 'alb'].includes(TargetType)) {
    throw invalid(`Target type '${TargetType}' is not valid`)
  }
  if (TargetType === 'lambda') return
  if (Protocol === undefined) throw invalid('A protocol must be specified')
  if (!protocols.includes(Protocol)) throw invalid(`Protocol '${Protocol}' is not valid`)
  if (Port === undefined) throw invalid('A port must be specified')
  if (!(Port >= 1 && Port <= 65_535)) throw invalid(`Port '${Port}' must be between 1 and 65535`)
  if (VpcId === undefined) throw invalid('A VPC ID must be specified')
  if (!ec2Of(call).tables.vpcs.get(VpcId)) throw invalid(`The VPC ID '${VpcId}' is not found`)
}

const describe = (group: TargetGroup, call: Elbv2Call): TargetGroupOutput => ({
  TargetGroupArn: group.arn,
  TargetGroupName: group.name,
  ...group.settings,
  LoadBalancerArns: [...balancersOf(call, group)],
})

/** Repeating the same request succeeds. */
export const createTargetGroup = (
  { Name = '', Tags, ...given }: CreateTargetGroupInput,
  call: Elbv2Call,
): CreateTargetGroupOutput => {
  checkName(Name, 'Target group')
  check(given, call)
  const tags = withTags([], Tags)
  const settings = withDefaults(given)
  const known = call.state.targetGroups.find(({ name }) => name === Name)
  if (known) {
    const comparable = (value: TargetGroup['settings']) => JSON.stringify(Object.entries(value).sort())
    if (comparable(known.settings) === comparable(settings)) return { TargetGroups: [describe(known, call)] }
    throw refuse(
      'DuplicateTargetGroupName',
      `A target group with the same name '${Name}' exists, but with different settings`,
    )
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
  const { LoadBalancerArn, TargetGroupArns, Names } = input
  if ([LoadBalancerArn, TargetGroupArns, Names].filter(value => value !== undefined).length > 1) {
    throw invalid('Only one of load balancer ARN, target group ARNs or names can be specified')
  }
  const found = (): readonly TargetGroup[] => {
    if (LoadBalancerArn !== undefined) {
      const { arn } = findLoadBalancer(call, LoadBalancerArn)
      return call.state.targetGroups.filter(group => balancersOf(call, group).includes(arn))
    }
    if (TargetGroupArns) return TargetGroupArns.map(arn => findTargetGroup(call, arn))
    if (!Names) return call.state.targetGroups
    return Names.map(wanted => {
      const group = call.state.targetGroups.find(({ name }) => name === wanted)
      if (!group) throw refuse('TargetGroupNotFound', 'One or more target groups not found')
      return group
    })
  }
  const { page, next } = pageOf(found(), ({ arn }) => arn, input)
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
