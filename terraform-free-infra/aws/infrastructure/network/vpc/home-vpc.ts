import type { InternetGateway, Vpc } from '@aws-sdk/client-ec2'
import type { State } from '../../../../engine/engine.ts'
import type { DesiredInfrastructure } from '../../desired-infrastructure.ts'
import { isCluster, isMarked, isOthers, isOwned, nameOf } from '../../tags.ts'

type DesiredHome = Pick<DesiredInfrastructure, 'clusterName' | 'uid' | 'otherUids'>

/** The id and VPC of an observed resource. */
export interface Inhabitant {
  readonly id: string | undefined
  readonly vpc: string | undefined
}

/**
 * The VPCs to search for our resources, and those proved ours. A state can be outdated: its VPC may be gone, or the id
 * may belong to another one.
 */
export interface VpcCandidates {
  /** VPCs to search. */
  readonly ids: readonly string[]
  /** The VPCs that need no further proof. */
  readonly proved: readonly string[]
}

/**
 * Returns the VPCs that may have been created for a shoot: the recorded one, if it has one of our tags or our DHCP
 * options; otherwise those with our mark; otherwise all with the cluster's tag, which alone proves nothing.
 */
export const candidatesOf = (desired: DesiredHome, state: State, vpcs: readonly Vpc[]): VpcCandidates => {
  const recorded = vpcs.find(({ VpcId }) => VpcId === state.VPC)
  if (recorded !== undefined && isRecordedOne(desired, state, recorded))
    return { ids: idsOf([recorded]), proved: idsOf([recorded]) }
  const marked = idsOf(vpcs.filter(({ Tags }) => isMarked(desired, Tags)))
  if (marked.length > 0) return { ids: marked, proved: marked }
  const withOptions = idsOf(
    vpcs.filter(
      ({ DhcpOptionsId, Tags }) =>
        state.VPC === undefined &&
        state.DHCPOptions !== undefined &&
        DhcpOptionsId === state.DHCPOptions &&
        isOwned(desired, Tags) &&
        !isOthers(desired, Tags),
    ),
  )
  if (withOptions.length > 0) return { ids: withOptions, proved: withOptions }
  return {
    ids: idsOf(vpcs.filter(({ VpcId, Tags }) => isOwned(desired, Tags) || VpcId === state.VPC)),
    proved: [],
  }
}

/**
 * Returns the VPC that was created for a shoot if the state contains none: the one that the operator declares, or the
 * only unclaimed one with the cluster's tag and name.
 */
export const lostVpc = (
  desired: DesiredHome & Pick<DesiredInfrastructure, 'adopt'>,
  state: State,
  vpcs: readonly Vpc[],
): string | undefined => {
  if (state.VPC !== undefined) return undefined
  const candidates = vpcs.filter(
    ({ VpcId, Tags }) =>
      isOwned(desired, Tags) &&
      !isOthers(desired, Tags) &&
      (desired.adopt === undefined || VpcId === desired.adopt),
  )
  const named = candidates.filter(({ Tags }) => nameOf(Tags) === desired.clusterName)
  const [only, more] = named.length > 0 ? named : candidates
  return more === undefined ? only?.VpcId : undefined
}

const isRecordedOne = (desired: DesiredHome, state: State, { DhcpOptionsId, Tags }: Vpc): boolean =>
  isCluster(desired, Tags) ||
  isMarked(desired, Tags) ||
  // Its tags were removed externally.
  (state.DHCPOptions !== undefined && DhcpOptionsId === state.DHCPOptions)

const idsOf = (vpcs: readonly Vpc[]): readonly string[] => vpcs.flatMap(({ VpcId }) => VpcId ?? [])

/**
 * Returns the VPCs that are ours by their content. A VPC with the cluster's tag is ours if it contains a recorded
 * resource or one is attached to it. The recorded VPC without our tags is ours if its default security group is the
 * recorded one.
 */
export const inhabitedByOurs = (
  desired: DesiredHome,
  state: State,
  vpcs: readonly Vpc[],
  inhabitants: readonly Inhabitant[],
): readonly string[] => {
  const recorded = new Set(Object.values(state))
  const lived = new Set(inhabitants.flatMap(({ id = '', vpc }) => (recorded.has(id) ? (vpc ?? []) : [])))
  const defaults = new Set(
    inhabitants.flatMap(({ id, vpc }) =>
      id !== undefined && id === state.DefaultSecurityGroup ? (vpc ?? []) : [],
    ),
  )
  return vpcs.flatMap(({ VpcId = '', Tags }) =>
    (isOwned(desired, Tags) && lived.has(VpcId)) || (VpcId === state.VPC && defaults.has(VpcId))
      ? [VpcId]
      : [],
  )
}

/** Returns the VPC to which an internet gateway is attached. A list may still contain a former attachment. */
export const attachedTo = ({ Attachments = [] }: Pick<InternetGateway, 'Attachments'>): string | undefined =>
  Attachments.find(({ State = '' }) => !State.startsWith('detach'))?.VpcId
