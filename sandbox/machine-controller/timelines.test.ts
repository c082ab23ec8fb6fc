import { readFileSync } from 'node:fs'
import { TerminateInstancesCommand } from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { besidePath, isBeside, withBeside } from '../../test/beside/beside.ts'
import { setInstanceSupply } from '../aws/aws.ts'
import { minutes, seconds } from './testing/machine-world.ts'
import { openWorlds } from './testing/open-worlds.ts'
import { readTimelines, type Timeline } from './testing/read-timelines.ts'
import * as steps from './testing/steps.ts'

const open = openWorlds()
type World = Awaited<ReturnType<typeof open>>

/** As a Worker deletes its machines: with the label of force. */
const cleanUp = async (world: World): Promise<void> => {
  for (const { metadata } of await world.machines())
    await world.label(metadata.name, { 'force-deletion': 'True' })
  await world.deleteDeployment()
  await world.pass(1 * minutes)
}

const instancesOf = async (world: World): Promise<string[]> =>
  (await world.machines()).map(({ spec }) => spec?.providerID?.split('/').at(-1) ?? '')

const withWrong = (change: object) => (spec: object) => ({ ...spec, ...change })

const fault = (code: string, status: number, more: object = {}) => ({
  action: 'RunInstances',
  effect: { kind: 'error', code, status } as const,
  ...more,
})

interface Scenario {
  readonly vcpus?: number
  readonly run: (world: World) => Promise<void>
  readonly steps: Timeline
}

const small = { instanceType: 'm5.large', zone: 'eu-west-1a' }

/** A class that cannot be made, from its deployment to its end. */
const wrongClass = (change: object, error: string, action = 'RunInstances'): Scenario => ({
  run: async world => {
    await world.deploy(1, { change: withWrong(change) })
    await world.pass(10 * seconds)
    await cleanUp(world)
  },
  steps: [[steps.notMade('Internal', steps.refused(action, 400, error)), ...steps.neverMade]],
})

const scenarios: Readonly<Record<string, Scenario>> = {
  'created and deleted with force': {
    run: async world => {
      await world.deploy(1)
      await world.pass(1 * minutes)
      await cleanUp(world)
    },
    steps: [[...steps.made, ...steps.forced]],
  },
  'scaled to three and to one': {
    run: async world => {
      await world.deploy(1)
      await world.pass(1 * minutes)
      await world.patchDeployment({ spec: { replicas: 3 } })
      await world.pass(1 * minutes)
      await world.patchDeployment({ spec: { replicas: 1 } })
      await world.pass(1 * minutes)
    },
    steps: [[...steps.made, ...steps.drained], steps.made, [...steps.made, ...steps.drained]],
  },
  rolled: {
    run: async world => {
      await world.deploy(2)
      await world.pass(1 * minutes)
      await world.newClass('next')
      await world.patchDeployment({ spec: { template: world.templateOf('next') } })
      await world.pass(5 * minutes)
    },
    steps: [[...steps.made, ...steps.drained], [...steps.made, ...steps.drained], steps.made, steps.made],
  },
  'no capacity, and then some': {
    run: async world => {
      setInstanceSupply(world.aws.account(), 'eu-west-1', small, 'exhausted')
      await world.deploy(1)
      await world.pass(1 * minutes)
      setInstanceSupply(world.aws.account(), 'eu-west-1', small, undefined)
      await world.pass(12 * minutes)
      await cleanUp(world)
    },
    steps: [
      [
        steps.notMade(
          'ResourceExhausted',
          steps.gaveUp(
            'RunInstances',
            500,
            'InsufficientInstanceCapacity: We currently do not have sufficient m5.large capacity in the Availability Zone you requested (eu-west-1a). Our system will be working on provisioning additional capacity. You can currently get m5.large capacity by not specifying an Availability Zone in your request or choosing eu-west-1b, eu-west-1c.',
          ),
        ),
        ...steps.made,
        ...steps.forced,
      ],
    ],
  },
  'a type that the zone does not have': {
    run: async world => {
      setInstanceSupply(world.aws.account(), 'eu-west-1', small, 'not-offered')
      await world.deploy(1)
      await world.pass(10 * seconds)
      await cleanUp(world)
    },
    steps: [
      [
        steps.notMade(
          'ResourceExhausted',
          steps.refused(
            'RunInstances',
            400,
            'Unsupported: Your requested instance type (m5.large) is not supported in your requested Availability Zone (eu-west-1a). Please retry your request by not specifying an Availability Zone or choosing eu-west-1b, eu-west-1c.',
          ),
        ),
        ...steps.neverMade,
      ],
    ],
  },
  'a quota that is too small': {
    ...wrongClass({ machineType: 'm5.12xlarge' }, ''),
    vcpus: 32,
    steps: [
      [
        steps.notMade(
          'ResourceExhausted',
          steps.refused(
            'RunInstances',
            400,
            'VcpuLimitExceeded: You have requested more vCPU capacity than your current vCPU limit of 32 allows for the instance bucket that the specified instance type belongs to. Please visit http://aws.amazon.com/contact-us/ec2-request to request an adjustment to this limit.',
          ),
        ),
        ...steps.neverMade,
      ],
    ],
  },
  'a quota that is used up': {
    run: async world => {
      world.aws.faults.add(fault('VcpuLimitExceeded', 400, { times: null }))
      await world.deploy(1)
      await world.pass(10 * seconds)
      await cleanUp(world)
    },
    steps: [
      [
        steps.notMade(
          'ResourceExhausted',
          steps.refused('RunInstances', 400, 'VcpuLimitExceeded: Injected fault.'),
        ),
        ...steps.neverMade,
      ],
    ],
  },
  'credentials that may not': {
    run: async world => {
      world.aws.faults.add(fault('UnauthorizedOperation', 403, { times: null }))
      await world.deploy(1)
      await world.pass(10 * seconds)
      await cleanUp(world)
    },
    steps: [
      [
        steps.notMade(
          'Internal',
          steps.refused('RunInstances', 403, 'UnauthorizedOperation: Injected fault.'),
        ),
        ...steps.neverMade,
      ],
    ],
  },
  'throttled without end': {
    run: async world => {
      world.aws.faults.add({ action: 'RunInstances', times: null, effect: { kind: 'throttle' } })
      await world.deploy(1)
      await world.pass(20 * seconds)
      await cleanUp(world)
    },
    steps: [
      [
        steps.notMade(
          'Internal',
          steps.gaveUp('RunInstances', 503, 'RequestLimitExceeded: Request limit exceeded.'),
        ),
        ...steps.neverMade,
      ],
    ],
  },
  'throttled for a while': {
    run: async world => {
      world.aws.faults.add({ action: 'RunInstances', times: 2, effect: { kind: 'throttle' } })
      await world.deploy(1)
      await world.pass(1 * minutes)
      await cleanUp(world)
    },
    steps: [[...steps.made, ...steps.forced]],
  },
  'an instance in spite of what AWS says': {
    run: async world => {
      world.aws.faults.add(fault('InsufficientInstanceCapacity', 500, { when: 'after', times: 3 }))
      await world.deploy(1)
      await world.pass(1 * minutes)
      await cleanUp(world)
    },
    steps: [
      [
        steps.notMade(
          'ResourceExhausted',
          steps.gaveUp('RunInstances', 500, 'InsufficientInstanceCapacity: Injected fault.'),
        ),
        ...steps.made,
        ...steps.forced,
      ],
    ],
  },
  'an endless throttling of a launch that AWS did': {
    run: async world => {
      world.aws.faults.add({ action: 'RunInstances', when: 'after', times: 3, effect: { kind: 'throttle' } })
      await world.deploy(1)
      await world.pass(1 * minutes)
      await cleanUp(world)
    },
    steps: [
      [
        steps.notMade(
          'Internal',
          steps.gaveUp('RunInstances', 503, 'RequestLimitExceeded: Request limit exceeded.'),
        ),
        ...steps.made,
        ...steps.forced,
      ],
    ],
  },
  'an image that is not there': wrongClass(
    { ami: 'ami-0dddddddddddddddd' },
    "InvalidAMIID.NotFound: The image id '[ami-0dddddddddddddddd]' does not exist",
    'DescribeImages',
  ),
  'a subnet that is not there': wrongClass(
    {
      networkInterfaces: [
        { subnetID: 'subnet-0123456789abcdef0', securityGroupIDs: ['sg-0123456789abcdef0'] },
      ],
    },
    "InvalidSubnetID.NotFound: The subnet ID 'subnet-0123456789abcdef0' does not exist",
  ),
  'a key pair that is not there': wrongClass(
    { keyName: 'nobodys' },
    "InvalidKeyPair.NotFound: The key pair 'nobodys' does not exist",
  ),
  'a profile that is not there': wrongClass(
    { iam: { name: 'nobodys' } },
    'InvalidParameterValue: Value (nobodys) for parameter iamInstanceProfile.name is invalid. Invalid IAM Instance Profile name',
  ),
  'a type that does not exist': wrongClass(
    { machineType: 'm5.huge' },
    "InvalidParameterValue: Invalid value 'm5.huge' for InstanceType.",
  ),
  'a group that is not there': {
    ...wrongClass({}, "InvalidGroup.NotFound: The security group 'sg-0123456789abcdef0' does not exist"),
    run: async world => {
      const networkInterfaces = [{ subnetID: world.subnetId, securityGroupIDs: ['sg-0123456789abcdef0'] }]
      await world.deploy(1, { change: withWrong({ networkInterfaces }) })
      await world.pass(10 * seconds)
      await cleanUp(world)
    },
  },
  'a volume without type, which is given one': {
    run: async world => {
      const blockDevices = [
        { deviceName: '/root', ebs: { volumeSize: 50, volumeType: 'gp3' } },
        ...['/dev/sdf', '/dev/sdg'].map(deviceName => ({
          deviceName,
          ebs: { volumeSize: 50, volumeType: 'gp3' },
        })),
        { deviceName: '/dev/sdh', ebs: { volumeSize: 7 } },
      ]
      await world.deploy(1, { change: withWrong({ blockDevices }) })
      await world.pass(10 * seconds)
      const changed = blockDevices.map(({ deviceName, ebs }) => ({
        deviceName,
        ebs: { volumeType: 'gp3', ...ebs },
      }))
      await world.patchClass({ providerSpec: { blockDevices: changed } })
      await world.pass(4 * minutes)
      await cleanUp(world)
    },
    steps: [
      [
        steps.notMade(
          'InvalidArgument',
          'error while validating ProviderSpec providerSpec.blockDevices[3].ebs.volumeType: Required value: Please mention a valid EBS volume type: [gp2 gp3 io1 st1 sc1 standard]',
        ),
        ...steps.made,
        ...steps.forced,
      ],
    ],
  },
  'a lost answer': {
    run: async world => {
      world.aws.faults.add({ action: 'RunInstances', when: 'after', effect: { kind: 'drop' } })
      await world.deploy(1)
      await world.pass(1 * minutes)
      await cleanUp(world)
    },
    steps: [[...steps.made, ...steps.forced]],
  },
  'a deletion that AWS does not do': {
    run: async world => {
      await world.deploy(1)
      await world.pass(1 * minutes)
      world.aws.faults.add({
        action: 'TerminateInstances',
        times: 3,
        effect: { kind: 'error', code: 'InternalError', status: 500 },
      })
      await world.patchDeployment({ spec: { replicas: 0 } })
      await world.pass(5 * minutes)
      expect(await world.machines()).toHaveLength(1)
      await world.pass(7 * minutes)
    },
    steps: [
      [
        ...steps.made,
        ...steps.drained.slice(0, 3),
        steps.notDeleted('InternalError: Injected fault.'),
        ...steps.drained.slice(3),
      ],
    ],
  },
  'an instance that somebody terminated, and a deletion': {
    run: async world => {
      await world.deploy(1)
      await world.pass(1 * minutes)
      await world.ec2.send(new TerminateInstancesCommand({ InstanceIds: await instancesOf(world) }))
      await world.patchDeployment({ spec: { replicas: 0 } })
      await world.pass(1 * minutes)
    },
    steps: [[...steps.made, ...steps.nodeless]],
  },
  'an instance that somebody terminated': {
    run: async world => {
      await world.deploy(1)
      await world.pass(1 * minutes)
      await world.ec2.send(new TerminateInstancesCommand({ InstanceIds: await instancesOf(world) }))
      await world.pass(12 * minutes)
      const [node] = world.nodes()
      expect(world.nodes()).toHaveLength(1)
      expect([node?.ready, await instancesOf(world)]).toEqual(['True', [node?.providerId.split('/').at(-1)]])
    },
    steps: [[...steps.made, steps.unhealthy, steps.unhealthyFor('10m0s'), ...steps.nodeless], steps.made],
  },
  'a node that stops to report, for a short time of health': {
    run: async world => {
      await world.deploy(1, { spec: { healthTimeout: '1m0s' } })
      await world.pass(1 * minutes)
      const [machine] = await world.machines()
      await world.nodeFault(machine?.metadata.name ?? '', 'not-ready')
      await world.pass(4 * minutes)
    },
    steps: [[...steps.made, steps.unhealthy, steps.unhealthyFor('1m0s'), ...steps.drained], steps.made],
  },
  'a Node of that name that is there still': {
    run: async world => {
      await world.deploy(0)
      await world.deployFault('stale')
      await world.patchDeployment({ spec: { replicas: 1 } })
      await world.pass(2 * minutes)
    },
    steps: [[steps.stale, ...steps.neverMade], steps.made],
  },
  'a node that never joins': {
    run: async world => {
      await world.deploy(1, { spec: { creationTimeout: '5m0s' } })
      await world.deployFault('never-joins')
      await world.pass(3 * minutes)
      await world.deployFault(null)
      const [machine] = await world.machines()
      await world.nodeFault(machine?.metadata.name ?? '', 'never-joins')
      await world.pass(6 * minutes)
    },
    steps: [[steps.pending, steps.notJoinedIn('5m0s'), ...steps.nodeless], steps.made],
  },
}

/** Machines that are made at the same time come in any order. */
const sorted = (timeline: Timeline) => timeline.map(machine => machine.join('\n')).sort()

describe('the steps of machines', () => {
  test.each(Object.entries(scenarios))('%s', async (_, scenario) => {
    const world = await open(scenario)
    await scenario.run(world)
    expect(sorted(world.steps())).toEqual(sorted(scenario.steps))
  })
})

/** Whether all of the steps come in the others, in their order; texts that were cut off as far as they go. */
const isWithin = (some: readonly string[], all: readonly string[]): boolean => {
  let at = 0
  for (const step of all) if (at < some.length && step.startsWith(some[at] ?? '')) at++
  return at === some.length
}

describe.skipIf(!isBeside('golden'))(withBeside('golden', 'recorded timelines'), () => {
  const here = Object.values(scenarios).flatMap(({ steps }) => steps)

  test.each([
    ...['create', 'scale', 'rolling', 'noCapacity', 'orphan', 'wrongImage', 'throttle', 'dualStack', 'efa'],
    ...['dataVolumes', 'spotAndMore', 'drain', 'ipv6Only', 'twins', 'stoppedBehind', 'terminatedThenDelete'],
    ...['notOffered', 'injected', 'deleteFails', 'visible', 'lostAnswer', 'wrongParts', 'idle', 'many'],
    ...['terminatedBehind', 'terminatedBehindCcm', 'quota', 'neverJoins'],
  ])('%s: the steps of each machine come here, too', name => {
    const file = readFileSync(besidePath('golden', 'machine-controller/timelines.txt'), 'utf8')
    const machines = readTimelines(file).get(name) ?? []
    expect(machines.length).toBeGreaterThan(0)
    expect(machines.filter(machine => !here.some(ours => isWithin(machine, ours)))).toEqual([])
  })
})
