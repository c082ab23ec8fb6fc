import { addHostedZone } from '../../sandbox/providers/aws/simulator/aws.ts'
import { exampleObjects, filesOfEvents } from './function-process.ts'

/** Returns the sources in which a function ran while `aws-dnsrecord` created the record of a new DNSRecord. */
export const filesOfRecordEvent = async (): Promise<readonly string[]> => {
  const [ran] = await filesOfEvents('aws-dnsrecord', async ({ aws, create, send }) => {
    addHostedZone(aws.account(), { name: 'example.com', id: 'Z0EXAMPLE00000000000' })
    for (const object of await exampleObjects('dnsrecord/shoot.yaml')) await create(object)
    const [record] = await exampleObjects('dnsrecord/zone-records.yaml')
    if (record === undefined) throw new Error('the example has no DNSRecord')
    await send(await create(record))
  })
  return [...(ran?.keys() ?? [])].sort()
}
