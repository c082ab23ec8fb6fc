import { isIPv6 } from 'node:net'
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

/** Record sets in the order of Route 53, and the name after them. Without it, the zone has no more. */
export interface RecordPage {
  readonly sets: readonly RecordSet[]
  readonly next: string | undefined
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
  /** Lists up to 300 record sets from a name on, in one request. */
  listPage(zoneId: string, from: string, signal: AbortSignal): Promise<RecordPage>
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

    listPage: async (zoneId, from, signal) => {
      const page = await client.send(
        new ListResourceRecordSetsCommand({ HostedZoneId: zoneId, StartRecordName: from, MaxItems: 300 }),
        { abortSignal: signal },
      )
      return {
        sets: (page.ResourceRecordSets ?? []).map(recordSetOf),
        next: page.IsTruncated ? page.NextRecordName : undefined,
      }
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

/**
 * Returns the canonical spelling of a domain name: lower case, no trailing dot, and every character except `a-z`,
 * `0-9`, `-` and `_` as a three-digit octal code, so `*.example.com` is `\052.example.com`. Route 53 returns names like
 * this (Developer Guide, "DNS domain name format"), with a trailing dot. Characters outside ASCII are encoded as UTF-8
 * bytes.
 */
export const canonicalName = (name: string): string => {
  let canonical = ''
  for (const [, octal, character = ''] of name.matchAll(/\\([0-3][0-7]{2})|(.)/gsu)) {
    if (octal !== undefined) canonical += inLabel(Number.parseInt(octal, 8))
    else if (character === '.') canonical += '.'
    else for (const byte of new TextEncoder().encode(character)) canonical += inLabel(byte)
  }
  return canonical.endsWith('.') ? canonical.slice(0, -1) : canonical
}

export const sameName = (a: string, b: string): boolean => canonicalName(a) === canonicalName(b)

/** Returns true if `name` is the zone's name or a name below it, label by label: `afoo.com` is not below `foo.com`. */
export const isWithin = (name: string, zoneName: string): boolean => {
  const inner = canonicalName(name)
  const outer = canonicalName(zoneName)
  return inner === outer || inner.endsWith(`.${outer}`)
}

const inLabel = (byte: number): string => {
  const character = String.fromCharCode(byte).toLowerCase()
  return byte < 128 && /[a-z0-9_-]/.test(character) ? character : `\\${octalCode(byte)}`
}

const octalCode = (byte: number): string => byte.toString(8).padStart(3, '0')

/** Returns the canonical spelling of an IP address: `2001:DB8:0::1` is `2001:db8::1`. Other text is unchanged. */
export const addressKey = (address: string): string =>
  isIPv6(address) && !address.includes('%') ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address

/** Maximum length of a TXT character string, in bytes (RFC 1035, section 3.3.14). */
const longestString = 255

/**
 * Returns a TXT value in the format of Route 53: one or more strings in double quotes, separated by blanks, each of at
 * most 255 bytes (Developer Guide, "TXT record type"; clients join the strings of one value).
 *
 * A value in this format retains its strings; any other value is one string. In both, the escapes of Route 53 (`\"`,
 * `\\`, `\303`) retain their meaning. A bare `"` is escaped, control characters and those outside ASCII become the
 * octal codes of their UTF-8 bytes, and a string that is too long is split.
 *
 * Any other backslash is literal. Before a printable character it is sent unchanged, as by the Go extension (`v=DKIM1\;
 * k=rsa`). If Route 53 would combine it with the next character (an octal code, a digit, the closing quote), it is
 * escaped.
 */
export const txtValue = (value: string): string =>
  (quotedStrings(value) ?? [value])
    .flatMap(string => split(tokens(string)))
    .map(quote)
    .join(' ')

/**
 * Returns a key that is equal for two values (as sent, or as returned by Route 53) with the same sequence of strings.
 */
export const txtKey = (value: string): string => {
  const strings = quotedStrings(value)
  return strings === undefined
    ? `malformed ${value}`
    : strings
        .map(string => `<${Buffer.from(tokens(string).flatMap(token => token.bytes)).toString('hex')}>`)
        .join('')
}

/** Returns the text between the quotes of `"…" "…"`, or undefined if the value has another format. */
const quotedStrings = (value: string): string[] | undefined => {
  if (!/^"(?:[^"\\]|\\.)*"(?:\s+"(?:[^"\\]|\\.)*")*$/su.test(value)) return undefined
  return [...value.matchAll(/"((?:[^"\\]|\\.)*)"\s*/gsuy)].map(([, string = '']) => string)
}

interface Token {
  readonly text: string
  readonly bytes: readonly number[]
}

/** Returns the characters of a string. Escapes are never split. */
const tokens = (string: string): Token[] =>
  [...string.matchAll(/\\([0-3][0-7]{2})|\\(["\\])|(.)/gsu)].map(([text, octal, escaped, character = '']) => {
    if (octal !== undefined) return { text, bytes: [Number.parseInt(octal, 8)] }
    if (escaped !== undefined) return { text, bytes: [escaped.charCodeAt(0)] }
    if (character === '"') return { text: '\\"', bytes: [0x22] }
    const bytes = [...new TextEncoder().encode(character)]
    const plain = bytes.every(byte => byte >= 0x20 && byte < 0x7f)
    return { text: plain ? character : bytes.map(byte => `\\${octalCode(byte)}`).join(''), bytes }
  })

/** Splits a string into parts of at most 255 bytes in the DNS, regardless of their written length. */
const split = (string: readonly Token[]): Token[][] => {
  const parts: Token[][] = [[]]
  let size = 0
  for (const token of string) {
    if (size + token.bytes.length > longestString) {
      parts.push([])
      size = 0
    }
    parts.at(-1)?.push(token)
    size += token.bytes.length
  }
  return parts
}

const quote = (string: readonly Token[]): string =>
  `"${string.map(({ text }, index) => (text === '\\' ? backslashBefore(string[index + 1]) : text)).join('')}"`

/** Returns a literal backslash in a spelling that Route 53 reads as a single backslash. */
const backslashBefore = (next: Token | undefined): string =>
  next === undefined || /^[\\0-9]/.test(next.text) ? '\\\\' : '\\'
