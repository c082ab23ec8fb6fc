import type {
  AddTagsInput,
  DescribeTagsInput,
  DescribeTagsOutput,
} from '@aws-sdk/client-elastic-load-balancing'
import { refuse } from '../service.ts'
import { type ElbCall, findLoadBalancer } from './load-balancers.ts'
import { withTags } from './tags.ts'

const checkCount = (names: readonly string[]): void => {
  if (names.length === 0 || names.length > 20) {
    throw refuse('ValidationError', 'Between 1 and 20 load balancer names must be specified', { status: 400 })
  }
}

export const describeTags = (input: DescribeTagsInput, call: ElbCall): DescribeTagsOutput => {
  const names = input.LoadBalancerNames ?? []
  checkCount(names)
  return {
    TagDescriptions: names.map(LoadBalancerName => ({
      LoadBalancerName,
      Tags: [...findLoadBalancer(call, LoadBalancerName).tags],
    })),
  }
}

export const addTags = (input: AddTagsInput, call: ElbCall): object => {
  const balancers = (input.LoadBalancerNames ?? []).map(name => findLoadBalancer(call, name))
  const tagged = balancers.map(balancer => withTags(balancer.tags, input.Tags, 10))
  for (const [index, balancer] of balancers.entries()) balancer.tags = tagged[index] ?? balancer.tags
  return {}
}
