import { authorizationOf, isPresigned } from '../accounts/authorization.ts'
import type { WireRequest } from '../codec/message.ts'
import type { ServiceModel } from '../codec/model.ts'
import type { Service } from '../service.ts'

/** `eu-west-1`, and Route 53's `us-gov`; what ends in a number may be longer, also where there is no such region. */
const regionLabel = /^(?:[a-z]{2}(?:-[a-z]+)+|[a-z]{2,}(?:-[a-z]+)+-\d+)$/

/** `route53`, `sts` out of `route53.amazonaws.com`, `sts.eu-west-1.amazonaws.com:443`. */
const serviceOfHost = (host: string): string | undefined => {
  const labels = /^(.+)\.amazonaws\.(?:com(?:\.cn)?|eu)(?::\d+)?$/.exec(host)?.[1]?.split('.') ?? []
  return labels.findLast(label => !regionLabel.test(label) && label !== 'dualstack')?.replace(/-fips$/, '')
}

/** A parameter of a query request, wherever it is. */
const parameterOf = (request: WireRequest, name: 'Action' | 'Version'): string | undefined => {
  const type = request.headers['content-type'] ?? ''
  const [stated] = request.query.get(name) ?? []
  if (stated !== undefined || !type.startsWith('application/x-www-form-urlencoded')) return stated
  return new URLSearchParams(Buffer.from(request.body).toString('latin1')).get(name) ?? undefined
}

/** Whether the operation is named by a parameter, `Action`. */
export const isQuery = (model: ServiceModel): boolean =>
  model.protocol === 'awsQuery' || model.protocol === 'ec2Query'

/** REST services whose paths begin with their version: Route 53, EFS. */
const ownsPath = ({ model }: Service<object>, request: WireRequest): boolean =>
  !isQuery(model) && request.path.startsWith(`/${model.version}/`)

/** What tells which service a request is for. */
export interface ServiceDestination {
  readonly service: Service<object> | undefined
  /** The name that the request gives, for a message about a service that is not here. */
  readonly name: string
  /** The operation as far as the request says it by itself; what the log names until the codec knows better. */
  action(): string
  readonly region: string
  /** The host belongs to another service than the signature names. */
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
    services.find(entry => ownsPath(entry, request)) ??
    // URLs that are signed wrongly are S3's too.
    (isPresigned(request) ? services.find(({ signingName }) => signingName === 's3') : undefined)
  )
}

/**
 * Finds the service of a request: by the credential scope, else by AWS's host name, else by the version in a
 * form or a path. An endpoint of one's own (`--endpoint-url`) has only the scope, the version and the path.
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
