import type { Clock } from '../../clock/clock.ts'
import type { Log } from '../../log/log.ts'
import type { GroupVersionResource, Kubernetes } from '../port.ts'
import type { KnownObjects } from './known-objects.ts'
import type { LoopState } from './loop-state.ts'
import type { Repairs } from './repairs.ts'

/** The parts that the lists and watches of one reflector share. */
export interface ReflectorParts {
  readonly kubernetes: Pick<Kubernetes, 'list' | 'watch'>
  readonly resource: GroupVersionResource
  readonly scope: {
    readonly namespace?: string
    readonly labelSelector?: string
    readonly fieldSelector?: string
  }
  readonly clock: Clock
  readonly log: Log
  readonly random: () => number
  readonly known: KnownObjects
  readonly loop: LoopState
  readonly repairs: Repairs
  /** Waits while too many lists began recently. */
  readonly mayList: (signal: AbortSignal) => Promise<void>
  /** The server sent all objects. `present`: their ids. */
  readonly listed: (present: ReadonlySet<string>) => void
}
