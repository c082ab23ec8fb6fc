import type { Change, ResourceRecordSet } from '@aws-sdk/client-route-53'
import { refuse } from '../../service.ts'

/** `Change with [Action=UPSERT, Name=a.example.com, Type=A, SetIdentifier=null]`. */
const changeText = ({ Action, ResourceRecordSet: set }: Change): string =>
  `Change with [Action=${Action}, Name=${set?.Name}, Type=${set?.Type}, SetIdentifier=${set?.SetIdentifier ?? null}]`

const invalid = (text: string) => refuse('InvalidInput', `Invalid request: ${text}`)

/** A record set must have exactly one of the three kinds of content. */
const checkContent = (change: Change, set: ResourceRecordSet): void => {
  const expected =
    'Expected exactly one of [AliasTarget, all of [TTL, and ResourceRecords], or TrafficPolicyInstanceId]'
  const values = set.ResourceRecords !== undefined
  const kinds = [
    set.AliasTarget !== undefined,
    values || set.TTL !== undefined,
    set.TrafficPolicyInstanceId !== undefined,
  ]
  const count = kinds.filter(Boolean).length
  if (count > 1) throw invalid(`${expected}, but found more than one in ${changeText(change)}`)
  if (count === 0 || (kinds[1] && (set.TTL === undefined || !values))) {
    throw invalid(`${expected}, but found none in ${changeText(change)}`)
  }
}

/** A routing policy requires a set identifier, and vice versa. */
const checkRouting = (change: Change, set: ResourceRecordSet): void => {
  const policies = [
    set.Weight,
    set.Region,
    set.Failover,
    set.GeoLocation,
    set.MultiValueAnswer,
    set.GeoProximityLocation,
    set.CidrRoutingConfig,
  ].filter(policy => policy !== undefined).length
  const expected =
    'Expected exactly one of [Weight, Region, Failover, GeoLocation, MultiValueAnswer, GeoProximityLocation, or CidrRoutingConfig]'
  if (policies > 1) throw invalid(`${expected}, but found more than one in ${changeText(change)}`)
  if (policies === 1 && set.SetIdentifier === undefined) {
    throw invalid(`Missing field 'SetIdentifier' in ${changeText(change)}`)
  }
  if (policies === 0 && set.SetIdentifier !== undefined) {
    throw invalid(`${expected}, but found none in ${changeText(change)}`)
  }
}

const namespace = 'https://route53.amazonaws.com/doc/2013-04-01/'

/** The errors of XML schema validation: an empty list, or a value outside its enumeration. */
const checkSchema = (change: Change, set: ResourceRecordSet): void => {
  const xml = (text: string) =>
    refuse(
      'InvalidInput',
      `Invalid XML ; javax.xml.stream.XMLStreamException: org.xml.sax.SAXParseException; ${text}`,
    )
  if (set.ResourceRecords?.length === 0) {
    throw xml(
      `cvc-complex-type.2.4.b: The content of element 'ResourceRecords' is not complete. One of '{"${namespace}":ResourceRecord}' is expected.`,
    )
  }
  const oneOf = (value: string | undefined, allowed: readonly string[]) => {
    if (value !== undefined && allowed.includes(value)) return
    throw xml(
      `cvc-enumeration-valid: Value '${value}' is not facet-valid with respect to enumeration '[${allowed.join(', ')}]'. It must be a value from the enumeration.`,
    )
  }
  oneOf(change.Action, ['CREATE', 'DELETE', 'UPSERT'])
  oneOf(set.Type, recordTypes)
  if (set.TTL !== undefined && !(Number.isInteger(set.TTL) && set.TTL >= 0 && set.TTL <= 2_147_483_647)) {
    throw xml(`cvc-datatype-valid.1.2.1: '${set.TTL}' is not a valid value for 'TTL'.`)
  }
}

/** RRType of the API reference. */
const recordTypes = [
  'SOA',
  'A',
  'TXT',
  'NS',
  'CNAME',
  'MX',
  'NAPTR',
  'PTR',
  'SRV',
  'SPF',
  'AAAA',
  'CAA',
  'DS',
  'TLSA',
  'SSHFP',
  'SVCB',
  'HTTPS',
]

/**
 * Checks each change before the zone is read. The texts are Route 53's, quoted in
 * ministryofjustice/modernisation-platform#10072 ("Expected exactly one of") and libdns/route53#284 ("Invalid XML").
 *
 * @throws AwsError InvalidInput
 */
export const checkRequest = (changes: readonly Change[]): void => {
  for (const change of changes) {
    const set = change.ResourceRecordSet
    if (!set) continue
    checkSchema(change, set)
    checkContent(change, set)
    checkRouting(change, set)
  }
}
