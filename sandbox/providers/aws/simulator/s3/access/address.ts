import type { WireRequest } from '../../codec/message.ts'
import type { RequestAddress } from '../../codec/model.ts'

/** The bucket and region that the host name of a request contains. */
export interface HostAddress {
  /** The bucket, for virtual-hosted style. */
  readonly bucket: string | undefined
  /** `global` means `s3.amazonaws.com`. Undefined: not an endpoint of Amazon. */
  readonly region: string | 'global' | undefined
}

const amazon =
  /^(?:(.+)\.)?s3(?:-fips)?(?:\.dualstack)?(?:[.-]([a-z]{2,}(?:-[a-z]+)+-\d+))?\.amazonaws\.(?:com(?:\.cn)?|eu)$/
const local = /^(.+?)\.(?:s3\.)?localhost$/

/** Returns the bucket and the region in a host name: `backup.s3.eu-west-1.amazonaws.com`, `backup.localhost:4566`. */
export const hostAddress = ({ headers }: Pick<WireRequest, 'headers'>): HostAddress => {
  const host = (headers.host ?? '').replace(/:\d+$/, '').toLowerCase()
  const found = amazon.exec(host)
  if (found) return { bucket: found[1], region: found[2] ?? 'global' }
  const bucket = local.exec(host)?.[1]
  return { bucket: bucket === 's3' ? undefined : bucket, region: undefined }
}

/** Takes the bucket from the host or the path. */
export const locate = (request: WireRequest): RequestAddress => {
  const { bucket } = hostAddress(request)
  if (bucket !== undefined) return { path: request.path, labels: { Bucket: bucket } }
  const [first = '', ...more] = request.path.replace(/^\//, '').split('/')
  const rest = more.map(part => `/${part}`).join('')
  return first === ''
    ? { path: '/', labels: {} }
    : { path: rest || '/', labels: { Bucket: decodeURIComponent(first) } }
}

/** Returns the regional endpoint of a bucket. */
export const endpointOf = (bucket: string, region: string): string =>
  `${bucket}.s3.${region}.${partition(region).domain}`

interface Partition {
  readonly name: string
  /** The domain of its host names. */
  readonly domain: string
}

/** By the prefix of the regions' names ("Partitions", AWS fault isolation boundaries whitepaper). */
const partitions: readonly (readonly [string, Partition])[] = [
  ['cn-', { name: 'aws-cn', domain: 'amazonaws.com.cn' }],
  ['us-gov-', { name: 'aws-us-gov', domain: 'amazonaws.com' }],
  ['eusc-', { name: 'aws-eusc', domain: 'amazonaws.eu' }],
]

const partition = (region: string): Partition =>
  partitions.find(([start]) => region.startsWith(start))?.[1] ?? { name: 'aws', domain: 'amazonaws.com' }

/** Returns `aws`, `aws-cn`, `aws-us-gov`, … */
export const partitionOf = (region: string): string => partition(region).name
