import * as z from 'zod'

/** The services that functions call, by their type in the catalog. */
export const services = [
  'network',
  'compute',
  'dns',
  'image',
  'load-balancer',
  'object-store',
  'sharev2',
] as const
export type Service = (typeof services)[number]

/** The token of a login, as far as it is read (Identity API v3, "Authentication and token management"). */
export const tokenSchema = z.object({
  token: z.object({
    expires_at: z.string(),
    project: z.object({ id: z.string() }).optional(),
    user: z.object({ id: z.string() }),
    catalog: z
      .array(
        z.object({
          type: z.string(),
          endpoints: z.array(
            z.object({
              interface: z.string(),
              region: z.string().nullish(),
              region_id: z.string().nullish(),
              url: z.string(),
            }),
          ),
        }),
      )
      .optional(),
  }),
})

/** A public endpoint. */
export interface Endpoint {
  readonly region: string
  readonly url: string
}

/** The public endpoints of the services above. */
export type Endpoints = Readonly<Partial<Record<Service, readonly Endpoint[]>>>

export const endpointsOf = ({ token: { catalog = [] } }: z.output<typeof tokenSchema>): Endpoints =>
  Object.fromEntries(
    services.flatMap(service => {
      const endpoints = catalog
        .filter(({ type }) => type === service)
        .flatMap(entry => entry.endpoints)
        .filter(one => one.interface === 'public')
        .map(({ region, region_id, url }) => ({ region: region_id ?? region ?? '', url }))
      return endpoints.length === 0 ? [] : [[service, endpoints] as const]
    }),
  )

/** The version in the path of each API, which the catalog may omit. */
const versions: Readonly<Record<Service, string>> = {
  network: 'v2.0',
  compute: 'v2.1',
  dns: 'v2',
  image: 'v2',
  'load-balancer': 'v2.0',
  'object-store': '',
  sharev2: 'v2',
}

/** Returns a URL without slashes at its end. */
export const withoutSlashes = (url: string): string => {
  let end = url.length
  while (url[end - 1] === '/') end--
  return url.slice(0, end)
}

/** Returns the URL of a service with its version, without a slash at the end. */
export const baseUrl = (service: Service, url: string): string => {
  const plain = withoutSlashes(url)
  const { pathname } = new URL(plain)
  const version = versions[service]
  // Designate's and Octavia's endpoints may name another minor version of the same API.
  const versioned =
    version === '' || /\/v\d+(?:\.\d+)?(?:\/|$)/.test(pathname) ? plain : `${plain}/${version}`
  return service === 'load-balancer' ? `${versioned}/lbaas` : versioned
}

/**
 * Returns the endpoint of a service: that of the region, or the only one, for services that serve all regions.
 * `region` undefined: the first one, as in the Go extension. Undefined: the catalog has none.
 */
export const endpointIn = (
  endpoints: Endpoints,
  service: Service,
  region: string | undefined,
): Endpoint | undefined => {
  const of = endpoints[service] ?? []
  if (region === undefined) return of[0]
  // Designate often has one endpoint for all regions.
  const common = service === 'dns' && of.length === 1 ? of[0] : undefined
  return of.find(one => one.region === region) ?? common
}
