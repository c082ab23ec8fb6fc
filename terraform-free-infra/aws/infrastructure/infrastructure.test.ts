import { CreateVpcCommand, EC2Client } from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { clientSettings } from '../../../sandbox/providers/aws/simulator/testing/clients.ts'
import { shuffledAws } from '../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../../shared/clock/clock.ts'
import { apiVersion, createInfrastructure, markTag } from './infrastructure.ts'

const clusterName = 'shoot--foo--bar'
const uid = 'infrastructure-uid'

const setUp = () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock })
  const begin = createInfrastructure({ connection: { requestHandler: aws.requestHandler }, clock })
  /** A step for a shoot with one zone in a created VPC. */
  const step = (data: Readonly<Record<string, string>> = {}) =>
    begin({
      clusterName,
      uid,
      region: 'eu-west-1',
      sshPublicKey: undefined,
      providerConfig: {
        apiVersion,
        kind: 'InfrastructureConfig',
        networks: {
          vpc: { cidr: '10.250.0.0/16' },
          zones: [
            {
              name: 'eu-west-1a',
              workers: '10.250.0.0/19',
              public: '10.250.96.0/22',
              internal: '10.250.112.0/22',
            },
          ],
        },
      },
      state: { apiVersion, kind: 'InfrastructureState', data },
      shoot: {
        uid: 'shoot-uid',
        networking: { ipFamilies: ['IPv4'], nodes: '10.250.0.0/16', pods: undefined, services: undefined },
        networkConfig: undefined,
        workerConfigs: [],
        cloudProfile: { regions: [{ name: 'eu-west-1', zones: [{ name: 'eu-west-1a' }] }] },
      },
      secret: {
        name: 'cloudprovider',
        namespace: clusterName,
        labels: {},
        data: { accessKeyID: 'AKIAEXAMPLE', secretAccessKey: 'made-up' },
      },
      signal: new AbortController().signal,
      throwIfExpired: () => {},
    })
  const makeVpc = async () => {
    const Tags = [
      { Key: `kubernetes.io/cluster/${clusterName}`, Value: 'owned' },
      { Key: 'Name', Value: clusterName },
      { Key: markTag, Value: uid },
    ]
    const { Vpc } = await new EC2Client(clientSettings(aws)).send(
      new CreateVpcCommand({
        CidrBlock: '10.250.0.0/16',
        TagSpecifications: [{ ResourceType: 'vpc', Tags }],
      }),
    )
    return Vpc?.VpcId
  }
  return { aws, step, makeVpc }
}

/** Returns the planned actions on the VPC. */
const vpcActions = async (step: ReturnType<ReturnType<typeof setUp>['step']>) =>
  (await step.plan()).actions
    .filter(action => action.target === 'resource' && action.resource.label === 'VPC')
    .map(action => [action.kind, 'found' in action ? action.found?.id : undefined])

test('a read shared by check and plan of a step is sent once', async () => {
  const { aws, step, makeVpc } = setUp()
  const one = step({ VPC: (await makeVpc()) ?? '' })
  aws.calls.clear()
  await one.validate({ resumed: false })
  const reads = () => aws.calls.all().filter(({ action }) => action === 'DescribeVpcs').length
  expect(reads()).toBe(1)
  await one.plan()
  expect(reads()).toBe(1)
})

test('a step does not reuse reads of an earlier step', async () => {
  const { step, makeVpc } = setUp()
  const one = step()
  expect(await vpcActions(one)).toEqual([['create', undefined]])
  const made = await makeVpc()
  expect(await vpcActions(one)).toEqual([['create', undefined]])
  expect(await vpcActions(step())).toEqual([['update', made]])
})

test('the plan of a deletion without a state finds marked resources', async () => {
  const { step, makeVpc } = setUp()
  expect((await step().plan({ destroy: true })).actions).toEqual([])
  const made = await makeVpc()
  const { actions } = await step().plan({ destroy: true })
  expect(actions.map(({ sentence }) => sentence)).toEqual([`delete VPC (${made})`])
})
