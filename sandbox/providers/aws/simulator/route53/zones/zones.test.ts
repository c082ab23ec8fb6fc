import {
  CreateHostedZoneCommand,
  GetHostedZoneCommand,
  ListHostedZonesCommand,
  ListResourceRecordSetsCommand,
  paginateListHostedZones,
  type Route53Client,
} from '@aws-sdk/client-route-53'
import { beforeEach, describe, expect, test } from 'vitest'
import { virtualClock } from '../../../../../../shared/clock/clock.ts'
import { createAws } from '../../simulator.ts'
import { failureOf, route53Of } from '../../testing/clients.ts'

let client: Route53Client
let references = 0

beforeEach(() => {
  client = route53Of(createAws({ clock: virtualClock(Date.parse('2026-01-01T00:00:00Z')) }))
})

const create = async (Name: string, more: object = {}) => {
  references += 1
  const made = await client.send(
    new CreateHostedZoneCommand({ Name, CallerReference: `reference-${references}`, ...more }),
  )
  return String(made.HostedZone?.Id)
}

describe('hosted zones', () => {
  test('a new zone has four name servers and a start of authority', async () => {
    const id = await create('Example.com')
    const zone = await client.send(new GetHostedZoneCommand({ Id: id }))
    const records = await client.send(new ListResourceRecordSetsCommand({ HostedZoneId: id }))
    const servers = zone.DelegationSet?.NameServers ?? []

    expect(zone.HostedZone).toMatchObject({ Id: id, Name: 'example.com.', ResourceRecordSetCount: 2 })
    expect(id).toMatch(/^\/hostedzone\/Z[A-Z0-9]{20}$/)
    expect(records.ResourceRecordSets).toEqual([
      {
        Name: 'example.com.',
        Type: 'NS',
        TTL: 172_800,
        ResourceRecords: servers.map(server => ({ Value: `${server}.` })),
      },
      {
        Name: 'example.com.',
        Type: 'SOA',
        TTL: 900,
        ResourceRecords: [{ Value: `${servers[0]}. awsdns-hostmaster.amazon.com. 1 7200 900 1209600 86400` }],
      },
    ])
    expect(servers).toHaveLength(4)
  })

  test('several zones can have the same name', async () => {
    const first = await create('example.com')
    const second = await create('example.com')
    const listed = await client.send(new ListHostedZonesCommand({}))
    expect(listed.HostedZones?.map(zone => zone.Id)).toEqual([first, second])
  })

  test('zones are listed in pages', async () => {
    const ids: string[] = []
    for (let index = 0; index < 5; index++) ids.push(await create(`z${index}.example.com`))
    const pages: (string | undefined)[][] = []
    for await (const page of paginateListHostedZones({ client, pageSize: 2 }, {})) {
      pages.push(page.HostedZones?.map(zone => zone.Id) ?? [])
    }
    expect(pages.map(page => page.length)).toEqual([2, 2, 1])
    expect(pages.flat()).toEqual(ids)
  })

  test('a zone that is created for a VPC is private', async () => {
    const VPC = { VPCId: 'vpc-1', VPCRegion: 'eu-west-1' as const }
    const id = await create('internal.example.com', { VPC })
    await create('example.com')
    const zone = await client.send(new GetHostedZoneCommand({ Id: id }))
    const listed = await client.send(new ListHostedZonesCommand({ HostedZoneType: 'PrivateHostedZone' }))
    expect(zone).toMatchObject({ HostedZone: { Config: { PrivateZone: true } }, VPCs: [VPC] })
    expect(zone.DelegationSet).toBeUndefined()
    expect(listed.HostedZones?.map(each => each.Id)).toEqual([id])
    expect(await failureOf(create('internal.example.com', { VPC }))).toMatchObject({
      name: 'ConflictingDomainExists',
    })
  })

  test('a repeated caller reference is refused', async () => {
    const input = { Name: 'example.com', CallerReference: 'once' }
    await client.send(new CreateHostedZoneCommand(input))
    expect(await failureOf(client.send(new CreateHostedZoneCommand(input)))).toMatchObject({
      name: 'HostedZoneAlreadyExists',
      $metadata: { httpStatusCode: 409 },
    })
  })

  test('a zone with an invalid name is refused', async () => {
    expect(await failureOf(create('a..b'))).toMatchObject({ name: 'InvalidDomainName' })
  })
})
