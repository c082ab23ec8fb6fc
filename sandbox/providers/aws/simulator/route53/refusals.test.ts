import * as route53 from '@aws-sdk/client-route-53'
import { test } from 'vitest'
import { expectRefusal, type Refusal, type World } from '../testing/refusal.ts'

const change = async (
  { settings }: World,
  Action: route53.ChangeAction,
  Name: string,
  Value = '192.0.2.1',
  Type: route53.RRType = 'A',
) => {
  const client = new route53.Route53Client(settings)
  const made = await client.send(
    new route53.CreateHostedZoneCommand({ Name: 'example.com', CallerReference: `${Action}${Name}${Type}` }),
  )
  const ResourceRecordSet = { Name, Type, TTL: 60, ResourceRecords: [{ Value }] }
  const ChangeBatch = { Changes: [{ Action, ResourceRecordSet }] }
  const HostedZoneId = made.HostedZone?.Id
  return client.send(new route53.ChangeResourceRecordSetsCommand({ HostedZoneId, ChangeBatch }))
}

const refusals: readonly Refusal[] = [
  [
    'a zone that there is not',
    ({ settings }) =>
      new route53.Route53Client(settings).send(new route53.GetHostedZoneCommand({ Id: 'Z1NONE' })),
    'NoSuchHostedZone',
    404,
    'No hosted zone found with ID: Z1NONE',
  ],
  [
    'deleting a record that there is not',
    world => change(world, 'DELETE', 'a.example.com'),
    'InvalidChangeBatch',
    400,
    /Tried to delete resource record set \[name='a\.example\.com\.', type='A'\] but it was not found/,
  ],
  [
    'a record of another zone',
    world => change(world, 'UPSERT', 'a.example.org'),
    'InvalidChangeBatch',
    400,
    'RRSet with DNS name a.example.org. is not permitted in zone example.com.',
  ],
  [
    'a text without quotes',
    world => change(world, 'UPSERT', 'a.example.com', 'text', 'TXT'),
    'InvalidChangeBatch',
    400,
    /should be enclosed in quotation marks/,
  ],
]

test.each(refusals)('Route 53 refuses %s', expectRefusal)
