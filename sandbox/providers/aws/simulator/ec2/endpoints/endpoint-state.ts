import type { Ec2 } from '../core/context.ts'
import type { VpcEndpoint } from '../rows/network.ts'

/** A deleted endpoint is no longer listed. */
export type EndpointState = 'pending' | 'available' | 'deleting'

export const endpointDeletionTime = ({ durations }: Pick<Ec2, 'durations'>, { type }: VpcEndpoint): number =>
  type === 'Gateway' ? durations.gatewayEndpointDeleted : durations.interfaceEndpointDeleted

export const endpointState = (ec2: Pick<Ec2, 'now' | 'durations'>, row: VpcEndpoint): EndpointState => {
  const { now, durations } = ec2
  if (row.deletedAt !== undefined) return 'deleting'
  const made =
    row.type === 'Gateway' ? durations.gatewayEndpointAvailable : durations.interfaceEndpointAvailable
  return now < row.createdAt + made ? 'pending' : 'available'
}
