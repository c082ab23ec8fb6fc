import type { Worker } from '../../../../shared/contract/objects.ts'

export type MachinePool = Worker['spec']['pools'][number]
export type DataVolume = NonNullable<MachinePool['dataVolumes']>[number]

/** The inputs for the machines of one shoot. Fields of type unknown have a provider-specific form. */
export interface MachinesRequest {
  readonly pools: readonly MachinePool[]
  readonly region: string
  /** The shoot's technical id, which is also the cluster name in tags. */
  readonly technicalId: string
  /** Empty means IPv4. */
  readonly ipFamilies: readonly string[]
  /** `status.providerStatus` of the Infrastructure. */
  readonly infrastructureStatus: unknown
  /** `spec` of the CloudProfile, and its name. */
  readonly cloudProfile: unknown
  readonly cloudProfileName: string
  /** The raw `status.providerStatus`; undefined if there is none. */
  readonly providerStatus: unknown
}
