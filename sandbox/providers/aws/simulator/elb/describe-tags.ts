import type { DescribeTagsInput, DescribeTagsOutput } from '@aws-sdk/client-elastic-load-balancing'
import { type ElbCall, findLoadBalancer } from './load-balancers.ts'

export const describeTags = (input: DescribeTagsInput, call: ElbCall): DescribeTagsOutput => {
  const names = input.LoadBalancerNames ?? []
  return {
    TagDescriptions: names.map(LoadBalancerName => ({
      LoadBalancerName,
      Tags: [...findLoadBalancer(call, LoadBalancerName).tags],
    })),
  }
}
