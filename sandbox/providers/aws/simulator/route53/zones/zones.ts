import type {
  ChangeInfo,
  CreateHostedZoneRequest,
  CreateHostedZoneResponse,
  DeleteHostedZoneRequest,
  DeleteHostedZoneResponse,
  GetHostedZoneRequest,
  GetHostedZoneResponse,
  HostedZone,
  ListHostedZonesRequest,
  ListHostedZonesResponse,
} from '@aws-sdk/client-route-53'
import { type Call, refuse } from '../../service.ts'
import { type ChangeClock, recordChange } from '../changes.ts'
import { isProblem, parseName } from '../name.ts'
import type { Route53State, Zone } from '../state.ts'
import { createZone } from './new-zone.ts'

type Route53Call = Call<Route53State>

/** Removes the prefix of an id. Requests use ids with and without it: `/hostedzone/Z1`, `Z1`. */
export const bareId = (id: string): string => id.replace(/^\/?(?:hostedzone|change|delegationset)\//, '')

/** @throws AwsError NoSuchHostedZone */
export const findZone = (state: Route53State, id: string | undefined): Zone => {
  const bare = bareId(id ?? '')
  const zone = state.zones.find(candidate => candidate.id === bare)
  if (!zone) throw refuse('NoSuchHostedZone', `No hosted zone found with ID: ${bare}`)
  return zone
}

const describe = (zone: Zone): HostedZone => ({
  Id: `/hostedzone/${zone.id}`,
  Name: zone.name,
  CallerReference: zone.callerReference,
  Config: { PrivateZone: zone.private, ...(zone.comment === undefined ? {} : { Comment: zone.comment }) },
  ResourceRecordSetCount: zone.recordSets.length,
})

const delegation = (zone: Zone) =>
  zone.private ? {} : { DelegationSet: { NameServers: [...zone.nameServers] } }

/** A page has at most 100 items, even if more are requested. */
const pageSize = (wanted: number | undefined): number => {
  if (wanted === undefined) return 100
  if (!(wanted >= 1))
    throw refuse('InvalidInput', `Invalid request: maxitems must be at least 1, not ${wanted}`)
  return Math.min(wanted, 100)
}

/** Lists zones in order of creation. A marker is the id of the first zone of its page. */
export const listHostedZones = (
  input: ListHostedZonesRequest,
  { state }: Route53Call,
): ListHostedZonesResponse => {
  const size = pageSize(input.MaxItems)
  const zones = state.zones.filter(zone => input.HostedZoneType !== 'PrivateHostedZone' || zone.private)
  const start = input.Marker === undefined ? 0 : zones.indexOf(findZone(state, input.Marker))
  const page = zones.slice(start, start + size)
  const next = zones[start + size]
  return {
    HostedZones: page.map(describe),
    IsTruncated: next !== undefined,
    MaxItems: size,
    // Returned only if the request has it, although the response's type requires it.
    ...((input.Marker === undefined ? {} : { Marker: input.Marker }) as { Marker: string }),
    ...(next ? { NextMarker: next.id } : {}),
  }
}

export const createHostedZone =
  (clock: ChangeClock) =>
  (input: CreateHostedZoneRequest, call: Route53Call): CreateHostedZoneResponse => {
    const { state } = call
    const name = parseName(input.Name ?? '')
    if (isProblem(name)) throw refuse('InvalidDomainName', name.reason)
    const reference = input.CallerReference ?? ''
    if (state.callerReferences[reference]) {
      throw refuse(
        'HostedZoneAlreadyExists',
        `A hosted zone has already been created with the specified caller reference.`,
      )
    }
    const hidden = input.VPC !== undefined || input.HostedZoneConfig?.PrivateZone === true
    if (hidden && input.VPC === undefined) {
      throw refuse(
        'InvalidInput',
        "When you're creating a private hosted zone (when you specify true for PrivateZone), you must also specify values for VPCId and VPCRegion.",
      )
    }
    const clash = state.zones.find(
      zone =>
        zone.private && zone.name === name.text && zone.vpcs.some(vpc => vpc.VPCId === input.VPC?.VPCId),
    )
    if (hidden && clash) {
      throw refuse(
        'ConflictingDomainExists',
        `The VPC ${input.VPC?.VPCId} in region ${input.VPC?.VPCRegion} has already been associated with the hosted zone ${clash.id} with the same domain name.`,
      )
    }
    const zone = createZone({
      id: `Z${call.newId(20)}`,
      name: name.text,
      callerReference: reference,
      comment: input.HostedZoneConfig?.Comment,
      vpcs: input.VPC ? [input.VPC] : [],
    })
    state.callerReferences[reference] = true
    state.zones.push(zone)
    return {
      HostedZone: describe(zone),
      ChangeInfo: recordChange(clock, call, undefined),
      Location: `https://route53.amazonaws.com/2013-04-01/hostedzone/${zone.id}`,
      // The response's type requires it, but Route 53 omits it for private zones.
      ...(delegation(zone) as Pick<CreateHostedZoneResponse, 'DelegationSet'>),
      ...(input.VPC ? { VPC: input.VPC } : {}),
    }
  }

export const getHostedZone = (input: GetHostedZoneRequest, { state }: Route53Call): GetHostedZoneResponse => {
  const zone = findZone(state, input.Id)
  return {
    HostedZone: describe(zone),
    ...delegation(zone),
    ...(zone.private ? { VPCs: zone.vpcs } : {}),
  }
}

export const deleteHostedZone =
  (clock: ChangeClock) =>
  (input: DeleteHostedZoneRequest, call: Route53Call): DeleteHostedZoneResponse => {
    const zone = findZone(call.state, input.Id)
    const own = zone.recordSets.filter(set => set.Name === zone.name && ['NS', 'SOA'].includes(set.Type))
    if (own.length !== zone.recordSets.length) {
      throw refuse(
        'HostedZoneNotEmpty',
        'The specified hosted zone contains non-required resource record sets and so cannot be deleted.',
      )
    }
    call.state.zones = call.state.zones.filter(other => other !== zone)
    const ChangeInfo: ChangeInfo = recordChange(clock, call, undefined)
    return { ChangeInfo }
  }
