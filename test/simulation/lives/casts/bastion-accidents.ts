import * as ec2 from '@aws-sdk/client-ec2'
import type { Accident } from '../cast.ts'
import { type Home, region } from '../homes.ts'

const retries = 30

/** People delete the machine of a Bastion with its group, and a reconciliation repairs it. */
export const bastionAccidents = (home: Home): readonly Accident[] => [
  async ({ cloud, clock }) => {
    const client = new ec2.EC2Client({
      region,
      credentials: { accessKeyId: home.keys.accessKeyID, secretAccessKey: home.keys.secretAccessKey },
      requestHandler: cloud.aws.requestHandler,
      maxAttempts: 1,
    })
    const rows = cloud.contentsOf(owner => owner.startsWith(`Bastion ${home.namespace}/`))
    const idsIn = (table: string): readonly string[] =>
      rows.filter(({ place }) => place.endsWith(` ${table}`)).map(({ value }) => String(Object(value).id))
    const [InstanceId] = idsIn('instances')
    if (InstanceId === undefined) return undefined
    await client.send(new ec2.TerminateInstancesCommand({ InstanceIds: [InstanceId] }))
    for (const GroupId of idsIn('securityGroups'))
      for (let tries = 1; tries < retries; tries++)
        try {
          await client.send(new ec2.DeleteSecurityGroupCommand({ GroupId }))
          break
        } catch {
          // The machine uses it until it has ended.
          await clock.sleep(2_000)
        }
    return undefined
  },
]
