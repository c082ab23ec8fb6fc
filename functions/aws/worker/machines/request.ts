import type { Worker } from '../../../../shared/contract/objects.ts'

/** A pool of a Worker. */
export type MachinePool = Worker['spec']['pools'][number]
export type DataVolume = NonNullable<MachinePool['dataVolumes']>[number]

/** What is asked for of the machines of one shoot; what is unknown here has a form of the provider's own. */
export interface MachinesRequest {
  readonly pools: readonly MachinePool[]
  readonly region: string
  /** The shoot's, which is also the cluster's in tags. */
  readonly technicalId: string
  /** None is IPv4. */
  readonly ipFamilies: readonly string[]
  /** `status.providerStatus` of the Infrastructure. */
  readonly infrastructureStatus: unknown
  /** `spec` of the CloudProfile, and what that is called. */
  readonly cloudProfile: unknown
  readonly cloudProfileName: string
  /** `status.providerStatus` as it is; undefined: there is none. */
  readonly providerStatus: unknown
}
