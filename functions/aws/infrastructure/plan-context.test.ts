import { CreateVpcCommand, EC2Client } from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { createAws } from '../../../sandbox/aws/simulator.ts'
import { virtualClock } from '../../../shared/clock/virtual-clock.ts'
import { createConnect } from './connect.ts'
import { createPlanContexts } from './plan-context.ts'
import { operator } from './testing/account-contents.ts'
import { clusterOf, infrastructureOf, namespace } from './testing/objects.ts'

const setUp = () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = createAws({ clock })
  const planContextOf = createPlanContexts(
    createConnect({ connection: { requestHandler: aws.requestHandler }, clock }),
  )
  const step = () => ({
    object: infrastructureOf({}),
    cluster: clusterOf(),
    secret: {
      name: 'cloudprovider',
      namespace,
      labels: {},
      data: { accessKeyID: 'AKIAEXAMPLE', secretAccessKey: 'made-up' },
    },
    signal: new AbortController().signal,
    throwIfExpired: () => {},
  })
  /** Ids of the VPCs that a step sees as the shoot's. */
  const vpcs = async (context: ReturnType<typeof step>) => {
    const { read, reads } = await planContextOf(context)
    return (await read(reads.vpcs)).map(({ VpcId }) => VpcId)
  }
  const makeVpc = async () => {
    const Tags = [{ Key: `kubernetes.io/cluster/${namespace}`, Value: 'owned' }]
    const { Vpc } = await new EC2Client(operator(aws.requestHandler)).send(
      new CreateVpcCommand({
        CidrBlock: '10.250.0.0/16',
        TagSpecifications: [{ ResourceType: 'vpc', Tags }],
      }),
    )
    return Vpc?.VpcId
  }
  return { aws, step, vpcs, makeVpc }
}

test('what a step reads twice is asked for once', async () => {
  const { aws, step, vpcs } = setUp()
  const one = step()
  expect(await vpcs(one)).toEqual(await vpcs(one))
  expect(aws.calls.all().map(({ action }) => action)).toEqual(['DescribeVpcs'])
})

test('a step sees nothing of what the one before has read', async () => {
  const { step, vpcs, makeVpc } = setUp()
  expect(await vpcs(step())).toEqual([])
  const made = await makeVpc()
  expect(await vpcs(step())).toEqual([made])
})
