import type { Ec2 } from '../core/context.ts'
import type { Instance } from '../rows/compute.ts'

export type InstanceStateName =
  | 'pending'
  | 'running'
  | 'shutting-down'
  | 'terminated'
  | 'stopping'
  | 'stopped'

/** `InstanceState`, API reference. */
const stateCodes: Readonly<Record<InstanceStateName, number>> = {
  pending: 0,
  running: 16,
  'shutting-down': 32,
  terminated: 48,
  stopping: 64,
  stopped: 80,
}

const nameOf = ({ now, durations }: Pick<Ec2, 'now' | 'durations'>, row: Instance): InstanceStateName => {
  if (row.terminatedAt !== undefined) {
    return now < row.terminatedAt + durations.instanceTerminated ? 'shutting-down' : 'terminated'
  }
  if (row.stoppedAt !== undefined) {
    return now < row.stoppedAt + durations.instanceStopped ? 'stopping' : 'stopped'
  }
  return now < row.startedAt + durations.instanceRunning ? 'pending' : 'running'
}

export const instanceState = (
  ec2: Pick<Ec2, 'now' | 'durations'>,
  row: Instance,
): { readonly name: InstanceStateName; readonly code: number } => {
  const name = nameOf(ec2, row)
  return { name, code: stateCodes[name] }
}
