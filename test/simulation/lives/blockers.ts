import * as ec2 from '@aws-sdk/client-ec2'
import type { AwsSide } from '../../../sandbox/providers/aws/simulation/aws-side.ts'
import { broken, objectName, type World } from '../../../sandbox/simulation/simulation.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import type { Part } from './cast.ts'
import { region } from './homes.ts'

/** Longer than every limit of a wait, in ms. */
const longestMs = 25 * 60_000

const ImageId = 'ami-009357e51d0a076d6'

/**
 * Starts a machine of a user in a subnet of a network. Its network interface blocks the deletion of the subnet. If the
 * object is there long after that, its status must name the interface. Then the user ends the machine. Returns the
 * sentence of a missing reason.
 */
export const block = async (
  { cloud, clock, first }: World<AwsSide>,
  { home: { keys }, desired: { kind, key } }: Part,
): Promise<string | undefined> => {
  const name = objectName({ kind, name: key.name, namespace: key.namespace })
  const subnet = cloud.contentsOf(owner => owner === name).find(({ place }) => place.endsWith(' subnets'))
  if (subnet === undefined) return undefined
  const client = new ec2.EC2Client({
    region,
    credentials: { accessKeyId: keys.accessKeyID, secretAccessKey: keys.secretAccessKey },
    requestHandler: cloud.aws.requestHandler,
    maxAttempts: 1,
  })
  const SubnetId = String(Object(subnet.value).id)
  const { Instances: [machine] = [] } = await client.send(
    new ec2.RunInstancesCommand({ ImageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1, SubnetId }),
  )
  const { InstanceId = '', NetworkInterfaces: [networkInterface] = [] } = machine ?? {}
  const NetworkInterfaceId = networkInterface?.NetworkInterfaceId ?? ''
  await clock.sleep(longestMs)
  const object = await first.kubernetes.get(kinds[kind].resource, key)
  const { lastOperation, lastError } = Object(object?.status)
  await client.send(new ec2.TerminateInstancesCommand({ InstanceIds: [InstanceId] }))
  if (object?.metadata.deletionTimestamp === undefined) return undefined
  const text = `${lastError?.description ?? ''} ${lastOperation?.description ?? ''}`
  return text.includes(NetworkInterfaceId) || text.includes(InstanceId)
    ? undefined
    : broken(
        'every wait has a reason, every operation an end',
        `the deletion of ${name} waits for ${NetworkInterfaceId} of a user, but its status says: ${text}`,
      )
}
