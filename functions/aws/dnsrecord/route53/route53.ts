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

/** A hosted zone, public or private. */
export interface HostedZone {
  /** `Z1D633PJN98FT9`, without `/hostedzone/`. */
  readonly id: string
  /** In the format of Route 53: `example.com.` */
  readonly name: string
}

export interface AliasTarget {
  readonly dnsName: string
  readonly hostedZoneId: string
  readonly evaluateTargetHealth: boolean
}

/** A record set: either `values` with `ttl`, or `alias`. */
export interface RecordSet {
  /** As in the spec, or as returned by Route 53 (`\052.example.com.`). Compare with `sameName`. */
  readonly name: string
  /** `A`, `CNAME`, …, and the types that Trellis never writes. */
  readonly type: string
  /** Seconds. Absent for alias sets. */
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

/** Selects the record sets to list: those of one name, starting with a type if only that one matters. */
export interface RecordWindow {
  readonly name: string
  readonly fromType?: string
}

/** The Route 53 calls that a DNS record needs. Errors are those of the SDK. */
export interface Route53 {
  /** Lists all pages. Not rate limited (docs/contract/provider-aws.md#hosted-zone). */
  listHostedZones(signal: AbortSignal): Promise<readonly HostedZone[]>
  /**
   * Sends one request, unless the name has more than a page of record sets. The result may end with sets of later
   * names.
   */
  listRecordSets(zoneId: string, window: RecordWindow, signal: AbortSignal): Promise<readonly RecordSet[]>
  /** Sends one batch: all changes or none. */
  changeRecordSets(zoneId: string, changes: readonly RecordChange[], signal: AbortSignal): Promise<void>
}

/** Large enough for all types that a name can have besides the requested ones, so one request is enough. */
const windowSize = 10

/** Implements Route 53 with the AWS SDK. Calls `throwIfExpired` before each attempt of a change. */
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

/** Returns the start of the next page, if it still contains the name. */
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
