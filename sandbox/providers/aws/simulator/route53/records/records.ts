import type {
  ChangeResourceRecordSetsRequest,
  ChangeResourceRecordSetsResponse,
  ListResourceRecordSetsRequest,
  ListResourceRecordSetsResponse,
} from '@aws-sdk/client-route-53'
import { type Call, refuse } from '../../service.ts'
import { type ChangeClock, recordChange } from '../changes.ts'
import { canonicalName } from '../name.ts'
import type { Route53State } from '../state.ts'
import { findZone } from '../zones/zones.ts'
import { applyChangeBatch } from './change-batch.ts'
import { checkRequest } from './check-request.ts'
import { indexAt } from './order.ts'

/**
 * Errors are joined in one message in brackets (awslabs/aws-sdk-kotlin#1433). Route 53 no longer sends the modelled
 * `messages` list.
 */
export const changeResourceRecordSets =
  (clock: ChangeClock) =>
  (input: ChangeResourceRecordSetsRequest, call: Call<Route53State>): ChangeResourceRecordSetsResponse => {
    const changes = input.ChangeBatch?.Changes ?? []
    if (changes.length === 0) {
      throw refuse(
        'InvalidInput',
        `Invalid XML ; javax.xml.stream.XMLStreamException: org.xml.sax.SAXParseException; cvc-complex-type.2.4.b: The content of element 'Changes' is not complete. One of '{"https://route53.amazonaws.com/doc/2013-04-01/":Change}' is expected.`,
      )
    }
    checkRequest(changes)
    const zone = findZone(call.state, input.HostedZoneId)
    const outcome = applyChangeBatch(zone, changes)
    if (outcome.kind === 'refused') {
      throw refuse('InvalidChangeBatch', `[${outcome.messages.join(', ')}]`)
    }
    zone.recordSets = outcome.recordSets
    return { ChangeInfo: recordChange(clock, call, input.ChangeBatch?.Comment) }
  }

const startOf = (input: ListResourceRecordSetsRequest) => {
  const { StartRecordName: name, StartRecordType: type, StartRecordIdentifier: identifier } = input
  if (type !== undefined && name === undefined) {
    throw refuse('InvalidInput', 'Invalid request: type requires name')
  }
  if (identifier !== undefined && (name === undefined || type === undefined)) {
    throw refuse('InvalidInput', 'Invalid request: identifier requires name and type')
  }
  return name === undefined
    ? undefined
    : { name: canonicalName(name), type: type ?? '', identifier: identifier ?? '' }
}

/** A page has at most 300 items, even if more are requested. */
const pageSize = (wanted: number | undefined): number => {
  if (wanted === undefined) return 300
  if (!(wanted >= 1))
    throw refuse('InvalidInput', `Invalid request: maxitems must be at least 1, not ${wanted}`)
  return Math.min(wanted, 300)
}

/**
 * Lists records from the given name (and type, and identifier) on, in DNS order. This is a start position, not a
 * filter.
 */
export const listResourceRecordSets = (
  input: ListResourceRecordSetsRequest,
  { state }: Call<Route53State>,
): ListResourceRecordSetsResponse => {
  const start = startOf(input)
  const size = pageSize(input.MaxItems)
  const { recordSets } = findZone(state, input.HostedZoneId)
  const first = start ? indexAt(recordSets, start) : 0
  const rest = recordSets.slice(first, first + size + 1)
  const next = rest[size]
  return {
    ResourceRecordSets: rest.slice(0, size),
    IsTruncated: next !== undefined,
    MaxItems: size,
    ...(next ? { NextRecordName: next.Name, NextRecordType: next.Type } : {}),
    ...(next?.SetIdentifier === undefined ? {} : { NextRecordIdentifier: next.SetIdentifier }),
  }
}
