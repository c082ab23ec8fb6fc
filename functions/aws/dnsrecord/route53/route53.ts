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
import {
  type ClientSettings,
  checkBeforeWrites,
} from '../../../../terraform-free-infra/aws/account/client/client.ts'
import { observeRequests } from '../../../../terraform-free-infra/aws/account/client/observe-requests.ts'
import { requireAnswers } from '../../../../terraform-free-infra/aws/account/client/require-answers.ts'
import { sameName } from './spelling.ts'

/** A hosted zone, private ones included. */
export interface HostedZone {
  /** `Z1D633PJN98FT9`, without `/hostedzone/`. */
  readonly id: string
  /** As Route 53 writes it: `example.com.` */
  readonly name: string
}

export interface AliasTarget {
  readonly dnsName: string
  readonly hostedZoneId: string
  readonly evaluateTargetHealth: boolean
}

/** A record set: either `values` with `ttl`, or `alias`. */
export interface RecordSet {
  /** As it is written in the spec, or as Route 53 returns it (`\052.example.com.`): compare with `sameName`. */
  readonly name: string
  /** `A`, `CNAME`, …, and the types that Trellis never writes. */
  readonly type: string
  /** Seconds; alias sets have none. */
  readonly ttl?: number
  readonly values?: readonly string[]
  readonly alias?: AliasTarget
  /** Set for routing policies (weighted, latency, …), which Trellis never writes. */
  readonly setIdentifier?: string
}

export interface RecordChange {
  readonly action: 'UPSERT' | 'DELETE'
  readonly set: RecordSet
}

/** Which record sets to list: those of one name, from a type on when only that one matters. */
export interface RecordWindow {
  readonly name: string
  readonly fromType?: string
}

/** The Route 53 calls that a DNS record needs. Errors are whatever the SDK throws. */
export interface Route53 {
  /** All pages; not rate limited (docs/contract/provider-aws.md#hosted-zone). */
  listHostedZones(signal: AbortSignal): Promise<readonly HostedZone[]>
  /** One request, unless the name has more than a page of record sets. May end with sets of later names. */
  listRecordSets(zoneId: string, window: RecordWindow, signal: AbortSignal): Promise<readonly RecordSet[]>
  /** One batch: all changes or none. */
  changeRecordSets(zoneId: string, changes: readonly RecordChange[], signal: AbortSignal): Promise<void>
}

/** Enough for every type that a name can have next to the ones looked for, so that one request does. */
const windowSize = 10

/** Route 53 by the AWS SDK. `throwIfExpired` runs before each attempt to change something. */
export const sdkRoute53 = (settings: ClientSettings, throwIfExpired: () => void): Route53 => {
  const client = new Route53Client(settings)
  client.middlewareStack.use(checkBeforeWrites(throwIfExpired))
  client.middlewareStack.use(observeRequests(settings.onRequest))
  client.middlewareStack.use(requireAnswers())

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
