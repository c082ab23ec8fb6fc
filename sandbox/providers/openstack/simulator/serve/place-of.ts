import { type ServiceName, type ServiceRequest, serviceTypes } from '../core/message.ts'
import type { IncomingRequest } from './listen.ts'

export interface PlacedRequest {
  readonly request: ServiceRequest
  readonly region: string
  /** Below the endpoint, with the query. */
  readonly path: string
}

/** Finds service and region in a URL: `/network/v2.0/networks`, in another region `/<region>/network/…`. */
export const placeOf = (
  { method, url, headers, body }: IncomingRequest,
  regions: readonly string[],
): PlacedRequest | undefined => {
  const { origin: host, pathname, search, searchParams } = new URL(url)
  const [, first = '', ...others] = pathname.split('/')
  const isRegion = regions.slice(1).includes(first)
  const [service = '', ...rest] = isRegion ? others : [first, ...others]
  if (!Object.hasOwn(serviceTypes, service)) return undefined
  const path = rest.map(decodeURIComponent)
  // A slash at the end of an endpoint adds nothing.
  const segments = path.at(-1) === '' && service !== 'object-store' ? path.slice(0, -1) : path
  const prefix = isRegion ? `/${first}` : ''
  return {
    region: isRegion ? first : (regions[0] ?? ''),
    path: `/${rest.join('/')}${search}`,
    request: {
      service: service as ServiceName,
      method,
      path: segments,
      query: searchParams,
      headers,
      body,
      endpoint: `${host}${prefix}/${service}`,
      url: `${host}${pathname}`,
    },
  }
}

/** The service, region and path of a URL of any cloud, for a report: the first segment or the host names the service. */
export const placeOfUrl = (url: string) => {
  const { host, pathname, search } = new URL(url)
  const segments = pathname.split('/')
  const version = segments.findIndex(segment => /^v\d/.test(segment))
  const before = segments.slice(1, version === -1 ? undefined : version)
  return {
    service: before.at(-1) || host,
    region: '',
    path: `/${segments.slice(1 + before.length).join('/')}${search}`,
  }
}
