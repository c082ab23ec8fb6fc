import { expect, test } from 'vitest'
import { shuffledAws } from '../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import type { DNSRecord } from '../../../shared/contract/objects.ts'
import { recordedObjectOf } from '../../../test/recorded/recorded.ts'
import { route53Account } from './testing/route53-account.ts'
import { recordOf, stepsOver } from './testing/steps.ts'

/** The object as the Go extension left it, in an account with its records. */
const takenOver = async (name: string) => {
  const { spec } = recordedObjectOf(`dnsrecord/${name}`) as DNSRecord
  const aws = shuffledAws()
  const account = route53Account(aws)
  const zone = await account.createZone('example.com')
  const { reconcile, remove } = stepsOver(aws.requestHandler)
  // The first change of a record is identical to that of the Go extension (golden.test.ts).
  await reconcile(recordOf({ spec }))
  aws.calls.clear()
  return { aws, account, zone, object: recordOf({ spec, statusZone: zone }), reconcile, remove }
}

test.each(['a', 'cname-elb-alias'])(
  'the record %s of the Go extension is adopted without a write, with its zone',
  async name => {
    const { aws, account, zone, object, reconcile } = await takenOver(name)
    const before = await account.records(zone)
    const result = await reconcile(object)
    expect(aws.calls.all().filter(({ action }) => !/^(?:Get|List)/.test(action))).toEqual([])
    expect(await account.records(zone)).toEqual(before)
    expect(before).toHaveLength(name === 'a' ? 1 : before.length)
    expect(result.status?.zone).toBe(zone)
  },
)

test.each(['a', 'cname-elb-alias'])(
  'the record %s of the Go extension is deleted like one of ours',
  async name => {
    const { account, zone, object, remove } = await takenOver(name)
    await remove(object)
    expect(await account.records(zone)).toEqual([])
  },
)
