/** The services, by the first segment of their URL, with their type in the catalog. */
export const serviceTypes = {
  identity: 'identity',
  network: 'network',
  compute: 'compute',
  dns: 'dns',
  image: 'image',
  'load-balancer': 'load-balancer',
  'object-store': 'object-store',
  share: 'sharev2',
} as const
export type ServiceName = keyof typeof serviceTypes

/** A request to one service. */
export interface ServiceRequest {
  readonly service: ServiceName
  readonly method: string
  /** The segments below the endpoint, decoded: `v2.0`, `networks`. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  /** `http://127.0.0.1:4000/network` */
  readonly endpoint: string
  /** The URL without its query. */
  readonly url: string
}

export interface ServiceAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const jsonAnswer = (
  status: number,
  value?: unknown,
  headers: Readonly<Record<string, string>> = {},
): ServiceAnswer =>
  value === undefined
    ? { status, headers, body: '' }
    : { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) }
