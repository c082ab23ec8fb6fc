import type { Ec2 } from '../core/context.ts'
import type { NatGateway } from '../rows/network.ts'

export type NatState = 'pending' | 'available' | 'failed' | 'deleting' | 'deleted'

export const natGatewayState = (
  { now, durations }: Pick<Ec2, 'now' | 'durations'>,
  { createdAt, deletedAt, failure }: NatGateway,
): NatState => {
  if (deletedAt !== undefined) return now < deletedAt + durations.natGatewayDeleted ? 'deleting' : 'deleted'
  if (failure) return now < createdAt + durations.natGatewayFailed ? 'pending' : 'failed'
  return now < createdAt + durations.natGatewayAvailable ? 'pending' : 'available'
}
