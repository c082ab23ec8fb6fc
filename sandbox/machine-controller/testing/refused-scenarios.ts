import { setInstanceSupply } from '../../providers/aws/simulator/aws.ts'
import { type MachineWorld, minutes, seconds } from './machine-world.ts'
import { cleanUp, type Scenario } from './scenario.ts'
import * as steps from './steps.ts'

const withWrong = (change: object) => (spec: object) => ({ ...spec, ...change })

const fault = (code: string, status: number, more: object = {}) => ({
  action: 'RunInstances',
  effect: { kind: 'error', code, status } as const,
  ...more,
})

const small = { instanceType: 'm5.large', zone: 'eu-west-1a' }

/** Returns the scenario of one machine that is refused at first, from the deployment to its end. */
const refused = (
  prepare: (world: MachineWorld) => unknown,
  waitMs: number,
  [code, text]: readonly [code: string, text: string],
  then: readonly string[] = steps.neverMade,
): Scenario => ({
  run: async world => {
    prepare(world)
    await world.deploy(1)
    await world.pass(waitMs)
    await cleanUp(world)
  },
  steps: [[steps.notMade(code, text), ...then]],
})

const madeLater = [...steps.made, ...steps.forced]

const throttled = [
  'Internal',
  steps.gaveUp('RunInstances', 503, 'RequestLimitExceeded: Request limit exceeded.'),
] as const

/** Returns the scenario of an invalid class, from the deployment to its end. */
const wrongClass = (change: object, error: string, action = 'RunInstances'): Scenario => ({
  run: async world => {
    await world.deploy(1, { change: withWrong(change) })
    await world.pass(10 * seconds)
    await cleanUp(world)
  },
  steps: [[steps.notMade('Internal', steps.refused(action, 400, error)), ...steps.neverMade]],
})

/** Scenarios of machines that the cloud refuses to create, at first or always. */
export const refusedScenarios: Readonly<Record<string, Scenario>> = {
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
        ...madeLater,
      ],
    ],
  },
  'a type that the zone does not have': refused(
    world => setInstanceSupply(world.aws.account(), 'eu-west-1', small, 'not-offered'),
    10 * seconds,
    [
      'ResourceExhausted',
      steps.refused(
        'RunInstances',
        400,
        'Unsupported: Your requested instance type (m5.large) is not supported in your requested Availability Zone (eu-west-1a). Please retry your request by not specifying an Availability Zone or choosing eu-west-1b, eu-west-1c.',
      ),
    ],
  ),
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
  'a quota that is used up': refused(
    world => world.aws.faults.add(fault('VcpuLimitExceeded', 400, { times: null })),
    10 * seconds,
    ['ResourceExhausted', steps.refused('RunInstances', 400, 'VcpuLimitExceeded: Injected fault.')],
  ),
  'credentials that may not': refused(
    world => world.aws.faults.add(fault('UnauthorizedOperation', 403, { times: null })),
    10 * seconds,
    ['Internal', steps.refused('RunInstances', 403, 'UnauthorizedOperation: Injected fault.')],
  ),
  'throttled without end': refused(
    world => world.aws.faults.add({ action: 'RunInstances', times: null, effect: { kind: 'throttle' } }),
    20 * seconds,
    throttled,
  ),
  'an instance in spite of what AWS says': refused(
    world => world.aws.faults.add(fault('InsufficientInstanceCapacity', 500, { when: 'after', times: 3 })),
    1 * minutes,
    ['ResourceExhausted', steps.gaveUp('RunInstances', 500, 'InsufficientInstanceCapacity: Injected fault.')],
    madeLater,
  ),
  'an endless throttling of a launch that AWS did': refused(
    world =>
      world.aws.faults.add({ action: 'RunInstances', when: 'after', times: 3, effect: { kind: 'throttle' } }),
    1 * minutes,
    throttled,
    madeLater,
  ),
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
}
