import { authorizationOf } from '../accounts/authorization.ts'
import type { WireRequest } from '../codec/message.ts'
import type { ServiceModel } from '../codec/model.ts'
import type { Service } from '../service.ts'

/**
 * `eu-west-1`, and Route 53's `us-gov`. A label that ends in a number may be longer, even if no such region exists.
 */
const regionLabel = /^(?:[a-z]{2}(?:-[a-z]+)+|[a-z]{2,}(?:-[a-z]+)+-\d+)$/

/** Returns `route53`, `sts` for `route53.amazonaws.com`, `sts.eu-west-1.amazonaws.com:443`. */
const serviceOfHost = (host: string): string | undefined => {
  const labels = /^(.+)\.amazonaws\.(?:com(?:\.cn)?|eu)(?::\d+)?$/.exec(host)?.[1]?.split('.') ?? []
  return labels.findLast(label => !regionLabel.test(label) && label !== 'dualstack')?.replace(/-fips$/, '')
}

/** Returns a parameter of a query request, from the query or the body. */
const parameterOf = (request: WireRequest, name: 'Action' | 'Version'): string | undefined => {
  const type = request.headers['content-type'] ?? ''
  const [stated] = request.query.get(name) ?? []
  if (stated !== undefined || !type.startsWith('application/x-www-form-urlencoded')) return stated
  return new URLSearchParams(Buffer.from(request.body).toString('latin1')).get(name) ?? undefined
}

/** Returns true if the parameter `Action` names the operation. */
export const isQuery = (model: ServiceModel): boolean =>
  model.protocol === 'awsQuery' || model.protocol === 'ec2Query'

/** Returns true for REST services with their version at the start of the path: Route 53, EFS. */
const ownsPath = ({ model }: Service<object>, request: WireRequest): boolean =>
  !isQuery(model) && request.path.startsWith(`/${model.version}/`)

/** The service that a request is for. */
export interface ServiceDestination {
  readonly service: Service<object> | undefined
  /** The name in the request, for the error about an unknown service. */
  readonly name: string
  /** The operation as the request names it. The log uses it until the codec has identified the operation. */
  action(): string
  readonly region: string
  /** True if the host belongs to a different service than the signature. */
  readonly wrongHost: boolean
}

/** Services that share a signing name differ in their version. */
const choose = (candidates: readonly Service<object>[], request: WireRequest) => {
  if (candidates.length < 2) return candidates[0]
  const version = parameterOf(request, 'Version')
  return candidates.find(({ model }) => model.version === version) ?? candidates[0]
}

const unsigned = (services: readonly Service<object>[], request: WireRequest) => {
  const version = parameterOf(request, 'Version')
  return (
    services.find(entry => isQuery(entry.model) && entry.model.version === version) ??
    services.find(entry => ownsPath(entry, request))
  )
}

/**
 * Finds the service of a request: by the credential scope, else by AWS's host name, else by the version in a form or a
 * path. A custom endpoint (`--endpoint-url`) has only the scope, the version and the path.
 */
export const identify = (services: readonly Service<object>[], request: WireRequest): ServiceDestination => {
  const authorization = authorizationOf(request)
  const scope = typeof authorization === 'object' ? authorization : undefined
  const host = serviceOfHost(request.headers.host ?? '')
  const signed = services.filter(({ signingName }) => signingName === (scope?.service ?? host))
  const service = choose(signed, request) ?? (scope === undefined ? unsigned(services, request) : undefined)
  return {
    service,
    name: scope?.service ?? host ?? '',
    action: () =>
      parameterOf(request, 'Action') ??
      request.headers['x-amz-target'] ??
      `${request.method} ${request.path}`,
    region: scope?.region ?? 'us-east-1',
    wrongHost: scope !== undefined && host !== undefined && host !== scope.service,
  }
}
