import type { RunInstancesCommandInput } from '@aws-sdk/client-ec2'
import { expect } from 'vitest'
import { type Behaviour, codeOf } from '../behaviour.ts'
import { withMachines } from './machine.ts'
import { inside, nothing, tagged } from './world.ts'

const launching = (input: Partial<RunInstancesCommandInput>): Behaviour['see'] =>
  withMachines(({ run }) => codeOf(run(input)))

/** Machines. */
export const instanceBehaviours: readonly Behaviour[] = [
  {
    title: 'an instance is pending at first, then running',
    see: withMachines(async ({ ec2, settings, find, waitLong }) => {
      const { Instances } = await ec2.runInstances(settings)
      await waitLong()
      const later = await find(Instances?.[0]?.InstanceId ?? '')
      return [Instances?.[0]?.State?.Name, later?.State?.Name]
    }),
    aws: ['pending', 'running'],
  },
  {
    title: 'an instance has an interface, a root volume and a private name',
    see: withMachines(async ({ run, find, waitLong, subnetId }) => {
      const id = await run()
      await waitLong()
      const found = await find(id)
      return [
        found?.NetworkInterfaces?.map(({ SubnetId }) => SubnetId === subnetId),
        found?.BlockDeviceMappings?.length,
        /^ip-10-0-0-\d+\.eu-west-1\.compute\.internal$/.test(found?.PrivateDnsName ?? ''),
      ]
    }),
    aws: [[true], 1, true],
  },
  {
    title: 'tags are given to the instance and to its volumes',
    see: withMachines(async ({ ec2, run, find, waitLong }) => {
      const id = await run({
        TagSpecifications: [...tagged('instance', { Name: 'node' }), ...tagged('volume', { Name: 'root' })],
      })
      await waitLong()
      const { Volumes } = await ec2.describeVolumes({
        Filters: [{ Name: 'attachment.instance-id', Values: [id] }],
      })
      return [
        (await find(id))?.Tags?.map(({ Value }) => Value),
        Volumes?.map(volume => volume.Tags?.[0]?.Value),
      ]
    }),
    aws: [['node'], ['root']],
  },
  {
    title: 'an unknown image is not started',
    see: launching({ ImageId: nothing('ami') }),
    aws: 'InvalidAMIID.NotFound 400',
    moto: 'done',
  },
  {
    title: 'an unknown type is refused',
    see: launching({ InstanceType: 't9.huge' as 't3.small' }),
    aws: 'InvalidParameterValue 400',
    moto: 'done',
  },
  {
    title: 'an unknown subnet is not found',
    see: launching({ SubnetId: nothing('subnet') }),
    aws: 'InvalidSubnetID.NotFound 400',
  },
  {
    title: 'an unknown group of a machine is not found',
    see: launching({ SecurityGroupIds: [nothing('sg')] }),
    aws: 'InvalidGroup.NotFound 400',
  },
  {
    title: 'an unknown key of a machine is not found',
    see: launching({ KeyName: 'none' }),
    aws: 'InvalidKeyPair.NotFound 400',
    moto: 'done',
  },
  {
    title: 'fewer than one instance is refused',
    see: launching({ MinCount: 0, MaxCount: 0 }),
    aws: 'InvalidParameterValue 400',
    moto: expect.stringMatching(/^Error/),
  },
  {
    title: 'the same launch with the same token makes one instance',
    see: withMachines(async ({ id, run }) => {
      const input = { ClientToken: `once-${id}` }
      const [first, second] = [await run(input), await run(input)]
      return first === second
    }),
    aws: true,
    moto: false,
  },
  {
    title: 'another launch with the same token is refused',
    see: withMachines(async ({ id, run }) => {
      const ClientToken = `once-${id}`
      await run({ ClientToken })
      return codeOf(run({ ClientToken, InstanceType: 't3.large' }))
    }),
    aws: 'IdempotentParameterMismatch 400',
    moto: 'done',
  },
  {
    title: 'an instance is shutting down at first, then listed as terminated',
    see: withMachines(async ({ ec2, run, find, waitLong }) => {
      const id = await run()
      await waitLong()
      const { TerminatingInstances } = await ec2.terminateInstances({ InstanceIds: [id] })
      await waitLong()
      return [
        TerminatingInstances?.map(change => [change.PreviousState?.Name, change.CurrentState?.Name]),
        (await find(id))?.State?.Name,
      ]
    }),
    aws: [[['running', 'shutting-down']], 'terminated'],
  },
  {
    title: 'a terminated instance leaves no interface, and its subnet can be deleted',
    see: withMachines(async ({ ec2, id, run, waitLong, subnetId: SubnetId }) => {
      const instance = await run()
      await waitLong()
      const before = await codeOf(ec2.deleteSubnet({ SubnetId }))
      await ec2.terminateInstances({ InstanceIds: [instance] })
      await waitLong()
      const { NetworkInterfaces } = await ec2.describeNetworkInterfaces({ Filters: inside(id) })
      return [before, NetworkInterfaces?.length, await codeOf(ec2.deleteSubnet({ SubnetId }))]
    }),
    aws: ['DependencyViolation 400', 0, 'done'],
    moto: ['done', 1, 'InvalidSubnetID.NotFound 400'],
  },
  {
    title: 'an instance that is protected is not terminated',
    see: withMachines(async ({ ec2, run }) =>
      codeOf(ec2.terminateInstances({ InstanceIds: [await run({ DisableApiTermination: true })] })),
    ),
    aws: 'OperationNotPermitted 400',
    moto: 'done',
  },
  {
    title: 'instances are found by state',
    see: withMachines(async ({ ec2, id, run, waitLong }) => {
      const first = await run()
      await run()
      await waitLong()
      await ec2.terminateInstances({ InstanceIds: [first] })
      await waitLong()
      const found = async (state: string) => {
        const Filters = [...inside(id), { Name: 'instance-state-name', Values: [state] }]
        return (await ec2.describeInstances({ Filters })).Reservations?.length
      }
      return [await found('running'), await found('pending')]
    }),
    aws: [1, 0],
  },
  {
    title: 'an unknown instance is not found',
    see: ({ ec2 }) => codeOf(ec2.describeInstances({ InstanceIds: [nothing('i')] })),
    aws: 'InvalidInstanceID.NotFound 400',
  },
  {
    title: 'an instance id of no form is refused',
    see: ({ ec2 }) => codeOf(ec2.describeInstances({ InstanceIds: ['machine'] })),
    aws: 'InvalidInstanceID.Malformed 400',
    moto: 'InvalidInstanceID.NotFound 400',
  },
]
