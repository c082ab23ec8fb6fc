import type { DescribeTagsInput, DescribeTagsOutput } from '@aws-sdk/client-elastic-load-balancing-v2'
import { refuse } from '../service.ts'
import { type Elbv2Call, findListener, findLoadBalancer, findTargetGroup } from './find.ts'
import type { Listener, LoadBalancer, TargetGroup } from './state.ts'

/** @throws AwsError in the wording for the kind of resource that the ARN names */
const findTagged = (call: Elbv2Call, arn: string): LoadBalancer | TargetGroup | Listener => {
  const kind = /^arn:[^:]+:elasticloadbalancing:[^:]*:[^:]*:([a-z-]+)\//.exec(arn)?.[1]
  switch (kind) {
    case 'loadbalancer':
      return findLoadBalancer(call, arn)
    case 'targetgroup':
      return findTargetGroup(call, arn)
    case 'listener':
      return findListener(call, arn)
    default:
      throw refuse('ValidationError', `'${arn}' is not a valid resource ARN`, { status: 400 })
  }
}

const resourcesOf = (call: Elbv2Call, arns: readonly string[] = []) => {
  return arns.map(arn => findTagged(call, arn))
}

export const describeTags = (input: DescribeTagsInput, call: Elbv2Call): DescribeTagsOutput => ({
  TagDescriptions: resourcesOf(call, input.ResourceArns).map(({ arn, tags }) => ({
    ResourceArn: arn,
    Tags: [...tags],
  })),
})
