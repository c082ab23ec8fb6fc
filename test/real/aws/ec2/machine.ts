import type { RunInstancesCommandInput } from '@aws-sdk/client-ec2'
import type { AwsEndpoint, Behaviour } from '../behaviour.ts'
import { type FreshVpc, freshVpc, present } from './world.ts'

/** Returns an image of the endpoint for 64-bit Intel machines. */
const anyImage = async ({ ec2 }: AwsEndpoint): Promise<string> => {
  const { Images } = await ec2.describeImages({
    Filters: [
      { Name: 'architecture', Values: ['x86_64'] },
      { Name: 'name', Values: ['al2023-ami-*', 'ubuntu/images/hvm-ssd*'] },
    ],
  })
  return present(Images?.[0]?.ImageId)
}

export interface Machines extends FreshVpc {
  readonly subnetId: string
  /** Starts an instance and returns its id. */
  run(input?: Partial<RunInstancesCommandInput>): Promise<string>
  /** The parameters of `run`. */
  readonly settings: RunInstancesCommandInput
  find(id: string): ReturnType<typeof instance>
}

const instance = async ({ ec2 }: AwsEndpoint, id: string) =>
  (await ec2.describeInstances({ InstanceIds: [id] })).Reservations?.[0]?.Instances?.[0]

/** Runs `see` in a subnet with internet access, in which machines can be started. */
export const withMachines =
  (see: (machines: Machines) => Promise<unknown>): Behaviour['see'] =>
  async endpoint => {
    const vpc = await freshVpc(endpoint)
    await vpc.gateway()
    const subnetId = await vpc.subnet()
    const settings: RunInstancesCommandInput = {
      ImageId: await anyImage(endpoint),
      InstanceType: 't3.small',
      SubnetId: subnetId,
      MinCount: 1,
      MaxCount: 1,
    }
    return see({
      ...vpc,
      subnetId,
      settings,
      run: async input => {
        const { Instances } = await vpc.ec2.runInstances({ ...settings, ...input })
        return present(Instances?.[0]?.InstanceId)
      },
      find: id => instance(endpoint, id),
    })
  }
