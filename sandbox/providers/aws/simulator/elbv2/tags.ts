import type {
  AddTagsInput,
  DescribeTagsInput,
  DescribeTagsOutput,
} from '@aws-sdk/client-elastic-load-balancing-v2'
import { withTags } from '../elb/tags.ts'
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
  if (arns.length === 0 || arns.length > 20) {
    throw refuse('ValidationError', 'Between 1 and 20 resource ARNs must be specified', { status: 400 })
  }
  return arns.map(arn => findTagged(call, arn))
}

export const describeTags = (input: DescribeTagsInput, call: Elbv2Call): DescribeTagsOutput => ({
  TagDescriptions: resourcesOf(call, input.ResourceArns).map(({ arn, tags }) => ({
    ResourceArn: arn,
    Tags: [...tags],
  })),
})

export const addTags = (input: AddTagsInput, call: Elbv2Call): object => {
  const resources = resourcesOf(call, input.ResourceArns)
  const tagged = resources.map(({ tags }) => withTags(tags, input.Tags))
  for (const [index, resource] of resources.entries()) resource.tags = tagged[index] ?? resource.tags
  return {}
}
