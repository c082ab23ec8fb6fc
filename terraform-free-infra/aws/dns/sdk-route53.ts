import {
  ChangeResourceRecordSetsCommand,
  ListHostedZonesCommand,
  ListResourceRecordSetsCommand,
  type ListResourceRecordSetsCommandOutput,
  type ResourceRecordSet,
  Route53Client,
  type RRType,
  type HostedZone as SdkHostedZone,
} from '@aws-sdk/client-route-53'
import { checkBeforeWrites } from '../client/check-before-writes.ts'
import type { ClientSettings } from '../client/client-settings.ts'
import { sameName } from './names.ts'
import type { HostedZone, RecordChange, RecordSet, Route53 } from './route53.ts'

/** Enough for every type that a name can have next to the ones looked for, so that one request does. */
const windowSize = 10

/** Route 53 by the AWS SDK. `guard` runs before each attempt to change something. */
export const sdkRoute53 = (settings: ClientSettings, throwIfExpired: () => void): Route53 => {
  const client = new Route53Client(settings)
  client.middlewareStack.use(checkBeforeWrites(throwIfExpired))

  return {
    listHostedZones: async signal => {
      const zones: HostedZone[] = []
      let marker: string | undefined
      do {
        const page = await client.send(
          new ListHostedZonesCommand(marker === undefined ? {} : { Marker: marker }),
          {
            abortSignal: signal,
          },
        )
        zones.push(...(page.HostedZones ?? []).map(hostedZoneOf))
        marker = page.IsTruncated ? page.NextMarker : undefined
      } while (marker !== undefined)
      return zones
    },

    listRecordSets: async (zoneId, window, signal) => {
      const sets: RecordSet[] = []
      let next: Position | undefined = {
        StartRecordName: window.name,
        ...(window.fromType && { StartRecordType: window.fromType as RRType }),
      }
      while (next) {
        const page: ListResourceRecordSetsCommandOutput = await client.send(
          new ListResourceRecordSetsCommand({ HostedZoneId: zoneId, MaxItems: windowSize, ...next }),
          { abortSignal: signal },
        )
        sets.push(...(page.ResourceRecordSets ?? []).map(recordSetOf))
        next = positionAfter(page, window.name)
      }
      return sets
    },

    changeRecordSets: async (zoneId, changes, signal) => {
      await client.send(
        new ChangeResourceRecordSetsCommand({
          HostedZoneId: zoneId,
          ChangeBatch: { Changes: changes.map(changeFor) },
        }),
        { abortSignal: signal },
      )
    },
  }
}

interface Position {
  readonly StartRecordName: string
  readonly StartRecordType?: RRType
  readonly StartRecordIdentifier?: string
}

/** Where the next page starts, as long as it still is about the name. */
const positionAfter = (page: ListResourceRecordSetsCommandOutput, name: string): Position | undefined => {
  if (!page.IsTruncated || page.NextRecordName === undefined || !sameName(page.NextRecordName, name)) {
    return undefined
  }
  return {
    StartRecordName: page.NextRecordName,
    ...(page.NextRecordType && { StartRecordType: page.NextRecordType }),
    ...(page.NextRecordIdentifier && { StartRecordIdentifier: page.NextRecordIdentifier }),
  }
}

const hostedZoneOf = ({ Id = '', Name = '' }: SdkHostedZone): HostedZone => ({
  id: Id.replace(/^\/hostedzone\//, ''),
  name: Name,
})

const recordSetOf = (set: ResourceRecordSet): RecordSet => ({
  name: set.Name ?? '',
  type: set.Type ?? '',
  ...(set.TTL !== undefined && { ttl: set.TTL }),
  ...(set.ResourceRecords?.length && { values: set.ResourceRecords.map(record => record.Value ?? '') }),
  ...(set.AliasTarget && {
    alias: {
      dnsName: set.AliasTarget.DNSName ?? '',
      hostedZoneId: set.AliasTarget.HostedZoneId ?? '',
      evaluateTargetHealth: set.AliasTarget.EvaluateTargetHealth ?? false,
    },
  }),
  ...(set.SetIdentifier !== undefined && { setIdentifier: set.SetIdentifier }),
})

const changeFor = ({ action, set }: RecordChange) => ({
  Action: action,
  ResourceRecordSet: {
    Name: set.name,
    Type: set.type as RRType,
    ...(set.alias
      ? {
          AliasTarget: {
            DNSName: set.alias.dnsName,
            HostedZoneId: set.alias.hostedZoneId,
            EvaluateTargetHealth: set.alias.evaluateTargetHealth,
          },
        }
      : { TTL: set.ttl, ResourceRecords: (set.values ?? []).map(value => ({ Value: value })) }),
  },
})
