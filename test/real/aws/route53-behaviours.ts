import { ChangeResourceRecordSetsCommand, GetChangeCommand } from '@aws-sdk/client-route-53'
import { expect } from 'vitest'
import { type AwsEndpoint, type Behaviour, outcomeOf } from './behaviour.ts'
import { alias, change, type FreshZone, freshZone, record } from './zone.ts'

const inZone =
  (see: (zone: FreshZone) => Promise<unknown>): Behaviour['see'] =>
  async (endpoint: AwsEndpoint) =>
    see(await freshZone(endpoint))

const a = record('A', 'a.example.com', '192.0.2.1')
const made = change('CREATE', a)

/** The parts of Route 53 that `DNSRecord` needs. */
export const route53Behaviours: readonly Behaviour[] = [
  {
    title: 'a new zone holds its NS and SOA records',
    see: inZone(async zone => (await zone.list()).map(line => line.split(' ').slice(0, 3).join(' '))),
    aws: ['NS example.com. 172800', 'SOA example.com. 900'],
  },
  {
    title: 'a change is pending at first',
    see: inZone(zone => zone.statusOf(made)),
    aws: 'PENDING',
    moto: 'INSYNC',
  },
  {
    title: 'a change that never was is not found',
    see: ({ route53 }) =>
      outcomeOf(route53.send(new GetChangeCommand({ Id: 'CNONE' })), ({ ChangeInfo }) => ChangeInfo?.Status),
    aws: 'NoSuchChange: Could not find resource with ID: CNONE',
    moto: 'INSYNC',
  },
  {
    title: 'a created record is listed',
    see: inZone(async zone => [await zone.change(made), await zone.records()]),
    aws: ['accepted', ['A a.example.com. 60 192.0.2.1']],
  },
  {
    title: 'a record cannot be created twice',
    see: inZone(async zone => [await zone.change(made), await zone.change(made)]),
    aws: [
      'accepted',
      "InvalidChangeBatch: [Tried to create resource record set [name='a.example.com.', type='A'] but it already exists]",
    ],
    moto: [
      'accepted',
      "InvalidChangeBatch: Tried to create resource record set [name='a.example.com.', type='A'] but it already exists",
    ],
  },
  {
    title: 'an upsert replaces the values',
    see: inZone(async zone => {
      await zone.change(made)
      await zone.change(change('UPSERT', record('A', 'a.example.com', '192.0.2.2', '192.0.2.3')))
      return zone.records()
    }),
    aws: ['A a.example.com. 60 192.0.2.2 192.0.2.3'],
  },
  {
    title: 'a deletion with the present values removes the record',
    see: inZone(async zone => {
      await zone.change(made)
      return [await zone.change(change('DELETE', a)), await zone.records()]
    }),
    aws: ['accepted', []],
  },
  {
    title: 'a deletion of an absent record is refused',
    see: inZone(zone => zone.change(change('DELETE', a))),
    aws: "InvalidChangeBatch: [Tried to delete resource record set [name='a.example.com.', type='A'] but it was not found]",
    moto: expect.stringContaining('InvalidInput: Invalid request: Expected exactly one of [AliasTarget'),
  },
  {
    title: 'a record cannot be deleted twice',
    see: inZone(async zone => {
      await zone.change(made)
      return [await zone.change(change('DELETE', a)), await zone.change(change('DELETE', a))]
    }),
    aws: [
      'accepted',
      "InvalidChangeBatch: [Tried to delete resource record set [name='a.example.com.', type='A'] but it was not found]",
    ],
    moto: ['accepted', 'accepted'],
  },
  {
    title: 'a deletion with other values is refused',
    see: inZone(async zone => {
      await zone.change(made)
      return zone.change(change('DELETE', record('A', 'a.example.com', '192.0.2.9')))
    }),
    aws: "InvalidChangeBatch: [Tried to delete resource record set [name='a.example.com.', type='A'] but the values provided do not match the current values]",
    moto: expect.stringContaining('InvalidInput: Invalid request: Expected exactly one of [AliasTarget'),
  },
  {
    title: 'a name outside of the zone is refused',
    see: inZone(zone => zone.change(change('UPSERT', record('A', 'a.example.org', '192.0.2.1')))),
    aws: 'InvalidChangeBatch: [RRSet with DNS name a.example.org. is not permitted in zone example.com.]',
    moto: 'InvalidChangeBatch: RRSet with DNS name a.example.org is not permitted in zone example.com.',
  },
  {
    title: 'a batch with one fault changes nothing',
    see: inZone(async zone => {
      await zone.change(made)
      await zone.change(change('CREATE', record('A', 'b.example.com', '192.0.2.2')), made)
      return zone.records()
    }),
    aws: ['A a.example.com. 60 192.0.2.1'],
  },
  {
    title: 'a CNAME beside another record is refused',
    see: inZone(async zone => {
      await zone.change(made)
      return zone.change(change('UPSERT', record('CNAME', 'a.example.com', 'b.example.org')))
    }),
    aws: 'InvalidChangeBatch: [RRSet of type CNAME with DNS name a.example.com. is not permitted as it conflicts with other records with the same DNS name in zone example.com.]',
    moto: 'accepted',
  },
  {
    title: 'a TXT value without quotes is refused',
    see: inZone(zone => zone.change(change('UPSERT', record('TXT', 'a.example.com', 'unquoted')))),
    aws: expect.stringContaining('InvalidChangeBatch: [Invalid Resource Record:'),
    moto: 'accepted',
  },
  {
    title: 'a wildcard is listed in escaped form',
    see: inZone(async zone => {
      await zone.change(change('UPSERT', record('A', '*.example.com', '192.0.2.1')))
      return zone.records()
    }),
    aws: ['A \\052.example.com. 60 192.0.2.1'],
    moto: ['A *.example.com. 60 192.0.2.1'],
  },
  {
    title: 'an alias record has no TTL, and a target with a dot at its end',
    see: inZone(async zone => {
      await zone.change(change('UPSERT', alias('lb.example.com')))
      return zone.records()
    }),
    aws: ['A lb.example.com. -> lb-1.eu-west-1.elb.amazonaws.com. Z32O12XQLNTSW2'],
    moto: ['A lb.example.com. -> lb-1.eu-west-1.elb.amazonaws.com Z32O12XQLNTSW2'],
  },
  {
    title: 'records are listed by their labels from right to left',
    see: inZone(async zone => {
      for (const name of ['z.a.example.com', 'b.example.com', 'a.example.com']) {
        await zone.change(change('UPSERT', record('A', name, '192.0.2.1')))
      }
      return (await zone.records()).map(line => line.split(' ')[1])
    }),
    aws: ['a.example.com.', 'z.a.example.com.', 'b.example.com.'],
  },
  {
    title: 'a list from a name on starts there',
    see: inZone(async zone => {
      for (const name of ['z.a.example.com', 'b.example.com', 'a.example.com']) {
        await zone.change(change('UPSERT', record('A', name, '192.0.2.1')))
      }
      return zone.list({ StartRecordName: 'b.example.com', StartRecordType: 'A', MaxItems: 1 })
    }),
    aws: ['A b.example.com. 60 192.0.2.1'],
  },
  {
    title: 'a zone with records cannot be deleted',
    see: inZone(async zone => [await zone.change(made), await zone.remove()]),
    aws: [
      'accepted',
      'HostedZoneNotEmpty: The specified hosted zone contains non-required resource record sets and so cannot be deleted.',
    ],
    moto: [
      'accepted',
      'HostedZoneNotEmpty: The hosted zone contains resource records that are not SOA or NS records.',
    ],
  },
  {
    title: 'an empty zone can be deleted, and is gone',
    see: inZone(async zone => [await zone.remove(), await zone.change(made)]),
    aws: ['deleted', expect.stringMatching(/^NoSuchHostedZone: No hosted zone found with ID: /)],
  },
  {
    title: 'a zone that never was is not found',
    see: ({ route53 }) =>
      outcomeOf(
        route53.send(
          new ChangeResourceRecordSetsCommand({
            HostedZoneId: 'ZNONE',
            ChangeBatch: { Changes: [made] },
          }),
        ),
        () => 'changed',
      ),
    aws: 'NoSuchHostedZone: No hosted zone found with ID: ZNONE',
  },
]
