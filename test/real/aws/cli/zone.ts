import { expect } from 'vitest'
import type { AwsCli } from '../python-client.ts'

const batch = (Action: string) =>
  JSON.stringify({
    Changes: [
      {
        Action,
        ResourceRecordSet: {
          Name: 'cli.example.com',
          Type: 'TXT',
          TTL: 60,
          ResourceRecords: [{ Value: '"heritage=gardener"' }],
        },
      },
    ],
  })

/** A hosted zone with a record. */
export const zoneLife = async ({ json }: AwsCli): Promise<void> => {
  const route53 = (command: string, ...args: string[]) => json('route53', command, ...args)
  const made = await route53('create-hosted-zone', '--name', 'example.com', '--caller-reference', 'cli')
  const zone = ['--hosted-zone-id', made.HostedZone.Id]
  const change = (action: string) =>
    route53('change-resource-record-sets', ...zone, '--change-batch', batch(action))

  const { ChangeInfo } = await change('UPSERT')
  await route53('wait', 'resource-record-sets-changed', '--id', ChangeInfo.Id)
  const listed = await route53('list-resource-record-sets', ...zone, '--page-size', '1')
  expect(listed.ResourceRecordSets).toContainEqual({
    Name: 'cli.example.com.',
    Type: 'TXT',
    TTL: 60,
    ResourceRecords: [{ Value: '"heritage=gardener"' }],
  })
  await change('DELETE')
  await expect(change('DELETE')).rejects.toThrow(/\(InvalidChangeBatch\).* but it was not found/)
  await route53('delete-hosted-zone', '--id', made.HostedZone.Id)
  expect(await route53('list-hosted-zones')).toEqual({ HostedZones: [] })
}
