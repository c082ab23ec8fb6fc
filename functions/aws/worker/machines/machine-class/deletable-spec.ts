import { recordOf } from '../../../../../shared/decode/record-of.ts'

/**
 * The volume types that the AWS part of the machine controller knows (v0.28.0, `ValidVolumeTypes`; its error lists them
 * in docs/contract/workers-aws.md#classes-that-the-machine-controller-refuses).
 */
export const volumeTypes = ['gp2', 'gp3', 'io1', 'st1', 'sc1', 'standard']

type ProviderSpecFields = Readonly<Record<string, unknown>>

/**
 * Parts of a `providerSpec` that only new machines need, each with the condition for a refusal by the machine
 * controller.
 */
const parts: readonly { readonly key: string; readonly isRefused: (part: unknown) => boolean }[] = [
  { key: 'blockDevices', isRefused: devices => Array.isArray(devices) && devices.some(isRefusedDevice) },
  { key: 'capacityReservation', isRefused: part => isRefusedReservation(recordOf(part)) },
  { key: 'instanceMetadataOptions', isRefused: part => isRefusedMetadata(recordOf(part)) },
  { key: 'cpuOptions', isRefused: part => isRefusedCpu(recordOf(part)) },
]

/**
 * Returns the `providerSpec` without the parts that the machine controller refuses, or undefined if it refuses none.
 * The machine controller also checks the whole class before it deletes a machine, although a deletion needs only region
 * and tags.
 */
export const deletableSpec = (providerSpec: ProviderSpecFields): ProviderSpecFields | undefined => {
  const refused = new Set(
    parts.filter(({ key, isRefused }) => isRefused(providerSpec[key])).map(({ key }) => key),
  )
  if (refused.size === 0) return undefined
  return Object.fromEntries(Object.entries(providerSpec).filter(([key]) => !refused.has(key)))
}

const isRefusedDevice = (device: unknown): boolean => {
  const { volumeType, volumeSize, iops, throughput } = recordOf(recordOf(device).ebs)
  return (
    !volumeTypes.includes(String(volumeType)) ||
    !(Number(volumeSize) > 0) ||
    Number(iops ?? 0) < 0 ||
    (volumeType === 'io1' && !(Number(iops) > 0)) ||
    (isSet(throughput) && !(Number(throughput) > 0))
  )
}

const isRefusedReservation = (reservation: ProviderSpecFields): boolean => {
  const preference = Boolean(reservation.capacityReservationPreference)
  const id = isSet(reservation.capacityReservationId)
  const group = isSet(reservation.capacityReservationResourceGroupArn)
  return preference ? id || group : id && group
}

const isRefusedMetadata = ({ httpPutResponseHopLimit: hops, httpTokens }: ProviderSpecFields): boolean =>
  (isSet(hops) && !(Number(hops) >= 0 && Number(hops) <= 64)) ||
  (Boolean(httpTokens) && httpTokens !== 'required' && httpTokens !== 'optional')

const isRefusedCpu = ({ coreCount, threadsPerCore, amdSevSnp }: ProviderSpecFields): boolean =>
  isSet(coreCount) !== isSet(threadsPerCore) ||
  (isSet(threadsPerCore) && threadsPerCore !== 1 && threadsPerCore !== 2) ||
  (isSet(amdSevSnp) && amdSevSnp !== 'enabled' && amdSevSnp !== 'disabled')

const isSet = (value: unknown): boolean => value !== undefined && value !== null
