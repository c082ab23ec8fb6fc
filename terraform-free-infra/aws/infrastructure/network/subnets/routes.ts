import { CreateRouteCommand, ReplaceRouteCommand, type Route } from '@aws-sdk/client-ec2'
import type { CallContext, Change } from '../../../../engine/engine.ts'
import { AwsError } from '../../../account/errors/aws-error.ts'
import type { AwsCloud } from '../../cloud.ts'

/** The target's id by destination. Routes of others and of AWS are not desired, but retained. */
export type RouteAttributes = { readonly [Destination in `route ${string}`]: string | undefined }

/**
 * Returns the routes that a call has created. Others may have the same destination: those that a VPN gateway
 * propagates, that a route server advertises, and local ones ("Route", EC2 API reference). A created route has priority
 * over a propagated one ("Route priority and propagated routes", VPC user guide). Routes to prefix lists are not ours:
 * endpoints and users create them.
 */
export const routeAttributes = (routes: readonly Route[]): RouteAttributes =>
  Object.fromEntries(
    routes
      .filter(({ Origin, GatewayId }) => (Origin ?? 'CreateRoute') === 'CreateRoute' && GatewayId !== 'local')
      .flatMap(route => {
        const destination = route.DestinationCidrBlock ?? route.DestinationIpv6CidrBlock
        return destination === undefined
          ? []
          : [[`route ${destination}`, targetIn(route) ?? 'nothing'] as const]
      }),
  )

/** Returns the target of a route, if it has a known one. */
export const targetIn = (route: Route): string | undefined =>
  route.NatGatewayId ??
  route.EgressOnlyInternetGatewayId ??
  route.TransitGatewayId ??
  route.VpcPeeringConnectionId ??
  route.InstanceId ??
  route.NetworkInterfaceId ??
  route.LocalGatewayId ??
  route.CarrierGatewayId ??
  route.CoreNetworkArn ??
  route.OdbNetworkArn ??
  route.GatewayId

/**
 * Writes a route with a single call, so that the route always exists. If it was created or deleted after it was read,
 * the other call writes it.
 */
export const writeRoute = async (
  { cloud, signal, throwIfExpired }: CallContext<AwsCloud>,
  RouteTableId: string,
  { attribute, before, after }: Change,
): Promise<void> => {
  if (!attribute.startsWith('route ') || typeof after !== 'string') return
  const route = { RouteTableId, ...destinationOf(attribute.slice('route '.length)), ...targetOf(after) }
  const create = () => cloud.ec2.send(new CreateRouteCommand(route), { abortSignal: signal })
  const replace = () => cloud.ec2.send(new ReplaceRouteCommand(route), { abortSignal: signal })
  try {
    await (before === undefined ? create() : replace())
  } catch (error) {
    const changed = before === undefined ? isThere(error) : isMissing(error)
    if (!changed) throw error
    throwIfExpired()
    await (before === undefined ? replace() : create())
  }
}

const isThere = (error: unknown): boolean => error instanceof AwsError && error.code === 'RouteAlreadyExists'

/** EC2 has no code of its own for a route that cannot be replaced because it does not exist. */
const isMissing = (error: unknown): boolean =>
  error instanceof AwsError &&
  (error.code === 'InvalidRoute.NotFound' || error.said.includes('There is no route defined for'))

const destinationOf = (cidr: string) =>
  cidr.includes(':') ? { DestinationIpv6CidrBlock: cidr } : { DestinationCidrBlock: cidr }

const targetOf = (id: string) => {
  if (id.startsWith('nat-')) return { NatGatewayId: id }
  return id.startsWith('eigw-') ? { EgressOnlyInternetGatewayId: id } : { GatewayId: id }
}
