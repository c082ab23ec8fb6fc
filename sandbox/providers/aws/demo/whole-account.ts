import { DescribeInstancesCommand, DescribeVolumesCommand, EC2Client } from '@aws-sdk/client-ec2'
import { type AccountContents, accountContents, operator } from '../account-contents.ts'
import type { Aws } from '../simulator/aws.ts'
import { bucketNames } from '../simulator/aws.ts'
import { recordNames } from './record-table.ts'

/**
 * Returns the resources of all kinds of objects in an account: networks, identities, machines and their disks, buckets,
 * records.
 */
export const wholeAccount = async (aws: Aws): Promise<AccountContents> => {
  const ec2 = new EC2Client(operator(aws.requestHandler))
  const [network, { Reservations = [] }, { Volumes = [] }, records] = await Promise.all([
    accountContents(aws.requestHandler),
    ec2.send(new DescribeInstancesCommand({})),
    ec2.send(new DescribeVolumesCommand({})),
    recordNames(aws),
  ])
  const item = (what: string) => (id: string) => ({ what, id, name: undefined })
  const instances = Reservations.flatMap(({ Instances = [] }) => Instances)
    .filter(({ State }) => State?.Name !== 'terminated')
    .map(({ InstanceId = '' }) => InstanceId)
  return [
    ...network,
    ...instances.map(item('machine')),
    ...Volumes.map(({ VolumeId = '' }) => VolumeId).map(item('disk')),
    ...bucketNames(aws.account()).map(item('bucket')),
    ...records.map(item('DNS record')),
  ]
}

/** Returns one line per resource, sorted. */
export const linesOf = (contents: AccountContents): readonly string[] =>
  contents.map(({ what, id }) => `${what} ${id}`).sort()
