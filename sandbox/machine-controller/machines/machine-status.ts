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

/** Returns the status after an operation, with the new phase. Absent: the phase and its time do not change. */
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
