import { expect } from 'vitest'
import type { AwsCli } from '../python-client.ts'

const defaultSubnets = ({ json }: AwsCli): Promise<string[]> =>
  json(
    'ec2',
    'describe-subnets',
    ...['--filters', 'Name=default-for-az,Values=true'],
    ...['--query', 'Subnets[].SubnetId'],
  )

/** A network load balancer (ELBv2). */
export const networkLoadBalancerLife = async (cli: AwsCli): Promise<void> => {
  const elbv2 = (command: string, ...args: string[]) => cli.json('elbv2', command, ...args)
  const { LoadBalancers } = await elbv2(
    'create-load-balancer',
    ...['--name', 'cli', '--type', 'network', '--subnets', ...(await defaultSubnets(cli))],
  )
  const arn = LoadBalancers[0].LoadBalancerArn
  await elbv2('wait', 'load-balancer-available', '--load-balancer-arns', arn)
  expect(
    await elbv2('describe-load-balancers', '--names', 'cli', '--query', 'LoadBalancers[].State.Code'),
  ).toEqual(['active'])
  await elbv2('delete-load-balancer', '--load-balancer-arn', arn)
  await elbv2('wait', 'load-balancers-deleted', '--load-balancer-arns', arn)
}

/** A classic load balancer. */
export const classicLoadBalancerLife = async (cli: AwsCli): Promise<void> => {
  const elb = (command: string, ...args: string[]) => cli.json('elb', command, ...args)
  const name = ['--load-balancer-name', 'cli']
  await elb(
    'create-load-balancer',
    ...name,
    ...['--listeners', 'Protocol=TCP,LoadBalancerPort=443,InstanceProtocol=TCP,InstancePort=30443'],
    ...['--subnets', ...(await defaultSubnets(cli))],
    ...['--tags', 'Key=kubernetes.io/cluster/shoot,Value=owned'],
  )
  const { TagDescriptions } = await elb('describe-tags', '--load-balancer-names', 'cli')
  expect(TagDescriptions[0].Tags).toEqual([{ Key: 'kubernetes.io/cluster/shoot', Value: 'owned' }])
  await elb('delete-load-balancer', ...name)
  await expect(elb('describe-load-balancers', '--load-balancer-names', 'cli')).rejects.toThrow(
    /\(LoadBalancerNotFound\)/,
  )
}
