import type { Ec2 } from '../core/context.ts'
import { endpointState } from '../endpoints/endpoint-state.ts'
import { natGatewayState } from '../nat-gateways/nat-state.ts'
import type { Route } from '../rows/network.ts'

/** Returns true if the target of a route can still receive traffic. Otherwise the route is a `blackhole`. */
export const isUsable = (ec2: Ec2, vpcId: string, { target }: Route): boolean => {
  const { tables } = ec2
  switch (target.type) {
    case 'gateway': {
      const endpoint = tables.vpcEndpoints.get(target.id)
      if (endpoint) return ['pending', 'available'].includes(endpointState(ec2, endpoint))
      const gateway = tables.internetGateways.get(target.id) ?? tables.vpnGateways.get(target.id)
      return gateway?.vpcId === vpcId
    }
    case 'nat-gateway': {
      const gateway = tables.natGateways.get(target.id)
      return gateway !== undefined && ['pending', 'available'].includes(natGatewayState(ec2, gateway))
    }
    case 'egress-only-internet-gateway':
      return tables.egressOnlyGateways.get(target.id) !== undefined
    case 'network-interface':
      return tables.networkInterfaces.get(target.id)?.attachment !== undefined
    case 'instance':
      return (
        tables.instances.get(target.id)?.terminatedAt === undefined &&
        tables.instances.get(target.id) !== undefined
      )
  }
}
