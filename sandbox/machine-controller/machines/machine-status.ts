import type { Machine } from '../../../shared/contract/objects.ts'
import { type ControllerContext, timeOf } from '../context.ts'

export type MachineStatus = NonNullable<Machine['status']>

export interface Operation {
  readonly type: 'Create' | 'Delete' | 'HealthCheck'
  readonly state: 'Processing' | 'Failed' | 'Successful'
  readonly description: string
  readonly errorCode?: string
}

export type Phase = 'Pending' | 'Running' | 'Unknown' | 'Failed' | 'CrashLoopBackOff' | 'Terminating'

/** A status after an operation, and the phase it leads to; absent: the one that it has, since when it has it. */
export const statusAfter = (
  context: Pick<ControllerContext, 'clock'>,
  { status = {} }: Machine,
  operation: Operation,
  phase?: Phase,
): MachineStatus => {
  const lastUpdateTime = timeOf(context)
  return {
    ...status,
    lastOperation: { ...operation, lastUpdateTime },
    ...(phase !== undefined && {
      currentStatus: { phase, lastUpdateTime, ...(phase === 'Pending' && { timeoutActive: true }) },
    }),
  }
}
