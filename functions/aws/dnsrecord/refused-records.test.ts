import type { ResourceRecordSet } from '@aws-sdk/client-route-53'
import { expect, test } from 'vitest'
import { createAws } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { route53Account } from './testing/route53-account.ts'
import { failureOf, type RecordParts, recordOf, stepsOver } from './testing/steps.ts'

const setUp = async () => {
  const aws = createAws()
  const account = route53Account(aws)
  const zone = await account.createZone('example.com')
  return { aws, account, zone, ...stepsOver(aws.requestHandler) }
}

const present = (set: Partial<ResourceRecordSet>): ResourceRecordSet => ({
  Name: 'api.example.com',
  Type: 'A',
  TTL: 60,
  ResourceRecords: [{ Value: '9.9.9.9' }],
  ...set,
})

test.each<[string, ResourceRecordSet[], RecordParts, string]>([
  [
    'a CNAME at the apex of the zone',
    [],
    { spec: { name: 'example.com', recordType: 'CNAME', values: ['x.org'] } },
    'cannot have a CNAME',
  ],
  [
    'addresses beside weighted ones',
    [present({ SetIdentifier: 'blue', Weight: 1 })],
    {},
    'records with a routing policy',
  ],
  [
    'addresses beside a CNAME',
    [present({ Type: 'CNAME', ResourceRecords: [{ Value: 'x.org' }] })],
    {},
    'A CNAME cannot have the same name as other records',
  ],
  [
    'a CNAME beside addresses',
    [present({})],
    { spec: { recordType: 'CNAME', values: ['x.org'] } },
    'A CNAME cannot have the same name as other records',
  ],
  [
    'a CNAME beside weighted ones',
    [present({ Type: 'CNAME', SetIdentifier: 'blue', Weight: 1, ResourceRecords: [{ Value: 'x.org' }] })],
    { spec: { recordType: 'CNAME', values: ['y.org'] } },
    'records with a routing policy',
  ],
  [
    'an alias beside a CNAME with a routing policy',
    [present({ Type: 'CNAME', SetIdentifier: 'blue', Weight: 1, ResourceRecords: [{ Value: 'x.org' }] })],
    { spec: { recordType: 'CNAME', values: ['lb-1.eu-west-1.elb.amazonaws.com'] } },
    'A CNAME cannot have the same name as other records',
  ],
  [
    'more values than a record set may have',
    [],
    { spec: { values: Array.from({ length: 401 }, (_, index) => `10.0.${index >> 8}.${index & 255}`) } },
    'Reduce spec.values',
  ],
])(
  '%s are a configuration problem with advice, for new and for known records, and nothing changes',
  async (_, sets, parts, advice) => {
    const { account, zone, reconcile } = await setUp()
    for (const set of sets) await account.change(zone, { Action: 'CREATE', ResourceRecordSet: set })
    const before = await account.records(zone)
    for (const statusZone of [undefined, zone]) {
      const error = await failureOf(reconcile(recordOf({ ...parts, ...(statusZone && { statusZone }) })))
      expect(error.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
      expect(error.message).toContain(advice)
    }
    expect(await account.records(zone)).toEqual(before)
  },
)

test('a load balancer that Route 53 does not know yet is an error without a code', async () => {
  const { aws, zone, reconcile } = await setUp()
  aws.faults.add({
    service: 'route53',
    action: 'ChangeResourceRecordSets',
    effect: {
      kind: 'error',
      code: 'InvalidChangeBatch',
      status: 400,
      message:
        '[Tried to create an alias that targets lb-1.eu-west-1.elb.amazonaws.com., type A in zone Z32O12XQLNTSW2, but that target was not found]',
    },
  })
  const record = recordOf({
    spec: { recordType: 'CNAME', values: ['lb-1.eu-west-1.elb.amazonaws.com'] },
    statusZone: zone,
  })
  expect((await failureOf(reconcile(record))).codes).toBeUndefined()
  expect(await reconcile(record)).toMatchObject({ kind: 'done' })
})
