import type { WorkerPool } from '../../contract/schemas/worker-pool.ts'
import type { ZoneClass } from '../provider.ts'

/** One MachineDeployment that shall be: a pool in one zone. */
export interface DesiredDeployment {
  /** `<technicalID>-<pool>-z<i>`, i the position of the zone, from 1. */
  readonly name: string
  /** `<name>-<hash>`; the class Secret has the same name. */
  readonly className: string
  readonly pool: WorkerPool
  readonly zone: ZoneClass
  /** Share of this zone (docs/contract/workers.md#distribution). */
  readonly minimum: number
  readonly maximum: number
  readonly maxSurge: number | string
  readonly maxUnavailable: number | string
  /** Most failed machines that are preserved. */
  readonly autoPreserveFailedMachineMax: number
}
