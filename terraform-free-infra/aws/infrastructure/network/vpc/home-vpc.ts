import type { InternetGateway, Vpc } from '@aws-sdk/client-ec2'
import type { State } from '../../../../engine/engine.ts'
import type { DesiredInfrastructure } from '../../desired-infrastructure.ts'
import { isCluster, isMarked, isOthers, isOwned, nameOf } from '../../tags.ts'

type DesiredHome = Pick<DesiredInfrastructure, 'clusterName' | 'uid' | 'otherUids'>

/** Something of a VPC that has been read: its id, and the VPC that it is in. */
export interface Inhabitant {
  readonly id: string | undefined
  readonly vpc: string | undefined
}

/**
 * Where what is ours has to be looked for, and which of that is ours for certain. A state can be old: the VPC that it
 * records may be gone, or be another one.
 */
export interface VpcCandidates {
  /** Whose contents have to be read. */
  readonly ids: readonly string[]
  /** Those of them that need no other proof. */
  readonly proved: readonly string[]
}

/**
 * Of the VPCs that may have been made for a shoot: the recorded one, if it carries a tag of ours or
 * has our DHCP options; else those that carry our mark; else all with the cluster's tag, which proves nothing by itself.
 */
export const candidatesOf = (desired: DesiredHome, state: State, vpcs: readonly Vpc[]): VpcCandidates => {
  const recorded = vpcs.find(({ VpcId }) => VpcId === state.VPC)
  if (recorded !== undefined && isRecordedOne(desired, state, recorded)) {
    return { ids: idsOf([recorded]), proved: idsOf([recorded]) }
  }
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
 * Returns the VPC that was created for a shoot, if the state names none: the one that the operator names, or the only
 * unclaimed one with the cluster's tag and name.
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
  // Somebody has taken its tags away.
  (state.DHCPOptions !== undefined && DhcpOptionsId === state.DHCPOptions)

const idsOf = (vpcs: readonly Vpc[]): readonly string[] => vpcs.flatMap(({ VpcId }) => VpcId ?? [])

/**
 * The VPCs that are ours by what is in them: with the cluster's tag, something that the state records is in it or attached
 * to it; the recorded one without any tag of ours, if its default security group is the recorded one.
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

/** The VPC that an internet gateway is attached to. */
export const attachedTo = ({ Attachments = [] }: Pick<InternetGateway, 'Attachments'>): string | undefined =>
  Attachments[0]?.VpcId
