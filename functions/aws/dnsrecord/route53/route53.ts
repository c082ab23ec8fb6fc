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
import { allPages } from '../../../../terraform-free-infra/aws/account/client/all-pages.ts'
import { type ClientSettings, withRules } from '../../../../terraform-free-infra/aws/account/client/client.ts'
import { canonicalName, isPlain, orderKey, sameName } from './spelling.ts'

export interface HostedZone {
  /** `Z1D633PJN98FT9`, without `/hostedzone/`. */
  readonly id: string
  /** In the format of Route 53: `example.com.` */
  readonly name: string
  /** True if only VPCs see its records. */
  readonly isPrivate: boolean
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
  /**
   * Lists all pages. If there are several, lists them twice: the list is no snapshot, and a zone that it omits would
   * let the record go elsewhere.
   */
  listHostedZones(signal: AbortSignal): Promise<readonly HostedZone[]>
  /**
   * Lists the record sets of each window, in one request if possible. Undefined: the answer says nothing about this
   * window. The first one is always answered if it is the only one. An answer may omit a record set.
   */
  listRecordSets(
    zoneId: string,
    windows: readonly RecordWindow[],
    signal: AbortSignal,
  ): Promise<readonly (readonly RecordSet[] | undefined)[]>
  /** Sends one batch: all changes or none. */
  changeRecordSets(zoneId: string, changes: readonly RecordChange[], signal: AbortSignal): Promise<void>
}

/** Large enough for all types that a name can have besides the requested ones, so one request is enough. */
const windowSize = 10

/** The most record sets of a page (`MaxItems`, API reference, "ListResourceRecordSets"). */
const pageSize = 300

/** Implements Route 53 with the AWS SDK. Calls `throwIfExpired` before each attempt of a change. */
export const sdkRoute53 = (settings: ClientSettings, throwIfExpired: () => void): Route53 => {
  // The calls of an account have a pace of their own.
  const { pace: _, ...rules } = settings
  const client = withRules(new Route53Client(settings), rules, throwIfExpired)

  const listZones = async (abortSignal: AbortSignal) => {
    let pages = 0
    const zones = await allPages(idOfZone, async marker => {
      pages++
      const page = await client.send(new ListHostedZonesCommand({ ...(marker && { Marker: marker }) }), {
        abortSignal,
      })
      return {
        items: page.HostedZones?.map(hostedZoneOf),
        next: page.IsTruncated ? page.NextMarker : undefined,
      }
    })
    return { zones, pages }
  }

  const listPage = (zoneId: string, MaxItems: number, start: Position, abortSignal: AbortSignal) =>
    client.send(new ListResourceRecordSetsCommand({ HostedZoneId: zoneId, MaxItems, ...start }), {
      abortSignal,
    })

  /** Lists the record sets of one name. May end with sets of later names. */
  const listName = (zoneId: string, { name, fromType }: RecordWindow, signal: AbortSignal) => {
    const first = { StartRecordName: name, ...(fromType && { StartRecordType: fromType as RRType }) }
    return allPages(idOfRecordSet, async token => {
      const page = await listPage(zoneId, windowSize, token ? JSON.parse(token) : first, signal)
      const next = positionAfter(page, name)
      return { items: page.ResourceRecordSets?.map(recordSetOf), next: next && JSON.stringify(next) }
    })
  }

  /** Lists a page from the first of several names on. */
  const listNames = async (zoneId: string, names: readonly string[], signal: AbortSignal) => {
    const first = names.reduce((one, other) => (orderKey(other) < orderKey(one) ? other : one))
    const page = await listPage(zoneId, pageSize, { StartRecordName: first }, signal)
    const next = page.IsTruncated ? page.NextRecordName : undefined
    const sets = await allPages(idOfRecordSet, async () => ({
      items: page.ResourceRecordSets?.map(recordSetOf),
      next: undefined,
    }))
    return names.map(name => answerFor(name, sets, next))
  }

  return {
    listHostedZones: async signal => {
      const { zones, pages } = await listZones(signal)
      if (pages === 1) return zones
      const again = await listZones(signal)
      return allPages(idOfZone, async () => ({ items: [...zones, ...again.zones], next: undefined }))
    },

    listRecordSets: async (zoneId, windows, signal) => {
      const [first, ...others] = windows
      if (first === undefined) return []
      const names = windows.map(({ name }) => name)
      const answers = others.length === 0 ? [] : await listNames(zoneId, names, signal)
      return answers.some(sets => sets !== undefined)
        ? answers
        : [await listName(zoneId, first, signal), ...others.map(() => undefined)]
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

const idOfZone = ({ id }: HostedZone): string => id

const idOfRecordSet = ({ name, type, setIdentifier = '' }: RecordSet): string =>
  JSON.stringify([canonicalName(name), type, setIdentifier])

/** Returns the record sets of a name on a page, or undefined if the page does not prove what they are. */
const answerFor = (
  name: string,
  page: readonly RecordSet[],
  next: string | undefined,
): readonly RecordSet[] | undefined => {
  if (next !== undefined && sameName(next, name)) return undefined
  const sets = page.filter(set => sameName(set.name, name))
  const isAbsent = isPlain(name) && (next === undefined || (isPlain(next) && orderKey(name) < orderKey(next)))
  return sets.length > 0 || isAbsent ? sets : undefined
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

const hostedZoneOf = ({ Id = '', Name = '', Config }: SdkHostedZone): HostedZone => ({
  id: Id.replace(/^\/hostedzone\//, ''),
  name: Name,
  isPrivate: Config?.PrivateZone ?? false,
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
