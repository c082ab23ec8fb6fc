import type { WorkerPool } from '../../contract/objects.ts'
import type { ZoneClass } from '../provider.ts'

/** A desired MachineDeployment: a pool in one zone. */
export interface DesiredDeployment {
  /** `<technicalID>-<pool>-z<i>`; `i` is the position of the zone, from 1. */
  readonly name: string
  /** `<name>-<hash>`. The class Secret has the same name. */
  readonly className: string
  readonly pool: WorkerPool
  readonly zone: ZoneClass
  /** The share of this zone (docs/contract/workers.md#distribution). */
  readonly minimum: number
  readonly maximum: number
  readonly maxSurge: number | string
  readonly maxUnavailable: number | string
  /** Maximum number of failed machines that are preserved. */
  readonly autoPreserveFailedMachineMax: number
}
