import type { WireRequest } from '../../codec/message.ts'
import type { RequestAddress } from '../../codec/model.ts'

/** Where a request is addressed to. */
export interface HostAddress {
  /** The bucket, in virtual-hosted style. */
  readonly bucket: string | undefined
  /** `global` is `s3.amazonaws.com`; undefined is an endpoint that is not Amazon's. */
  readonly region: string | 'global' | undefined
}

const amazon =
  /^(?:(.+)\.)?s3(?:-fips)?(?:\.dualstack)?(?:[.-]([a-z]{2}(?:-[a-z]+)+-\d))?\.amazonaws\.com(?:\.cn)?$/
const local = /^(.+?)\.(?:s3\.)?localhost$/

/** The bucket and the region in a host name: `backup.s3.eu-west-1.amazonaws.com`, `backup.localhost:4566`. */
export const hostAddress = ({ headers }: Pick<WireRequest, 'headers'>): HostAddress => {
  const host = (headers.host ?? '').replace(/:\d+$/, '').toLowerCase()
  const found = amazon.exec(host)
  if (found) return { bucket: found[1], region: found[2] ?? 'global' }
  const bucket = local.exec(host)?.[1]
  return { bucket: bucket === 's3' ? undefined : bucket, region: undefined }
}

/** Takes the bucket out of the host, or out of the path. */
export const locate = (request: WireRequest): RequestAddress => {
  const { bucket } = hostAddress(request)
  if (bucket !== undefined) return { path: request.path, labels: { Bucket: bucket } }
  const [first = '', ...more] = request.path.replace(/^\//, '').split('/')
  const rest = more.map(part => `/${part}`).join('')
  return first === ''
    ? { path: '/', labels: {} }
    : { path: rest || '/', labels: { Bucket: decodeURIComponent(first) } }
}

/** The regional endpoint of a bucket. */
export const endpointOf = (bucket: string, region: string): string =>
  `${bucket}.s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`

/** `aws`, `aws-cn`, `aws-us-gov`, … */
export const partitionOf = (region: string): string =>
  region.startsWith('cn-') ? 'aws-cn' : region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws'
