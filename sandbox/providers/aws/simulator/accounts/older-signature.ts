import { createHmac } from 'node:crypto'
import type { WireRequest } from '../codec/message.ts'
import { hostAddress } from '../s3/access/address.ts'
import type { Authorization } from './authorization.ts'

/** The signed parameters ("Signing and authenticating REST requests", S3 user guide). */
const signedParameters: ReadonlySet<string> = new Set([
  ...['acl', 'cors', 'delete', 'lifecycle', 'location', 'logging', 'notification', 'partNumber', 'policy'],
  ...['requestPayment', 'tagging', 'torrent', 'uploadId', 'uploads', 'versionId', 'versioning', 'versions'],
  ...['website', 'encryption', 'object-lock', 'retention', 'legal-hold', 'publicAccessBlock'],
  ...['response-content-type', 'response-content-language', 'response-expires', 'response-cache-control'],
  ...['response-content-disposition', 'response-content-encoding'],
])

const resourceOf = (request: WireRequest): string => {
  const { bucket } = hostAddress(request)
  const parameters = [...request.query]
    .filter(([name]) => signedParameters.has(name))
    .map(([name, [value = '']]) => (value === '' ? name : `${name}=${value}`))
    .sort()
  const path = `${bucket === undefined ? '' : `/${bucket}`}${request.path}`
  return parameters.length === 0 ? path : `${path}?${parameters.join('&')}`
}

/** AWS headers may be in the query of a URL. */
const amazonHeaders = ({ headers, query }: WireRequest): string => {
  const inQuery = [...query].map(([name, [value = '']]) => [name.toLowerCase(), value] as const)
  return [...Object.entries(headers), ...inQuery.filter(([name]) => !(name in headers))]
    .filter(([name]) => name.startsWith('x-amz-'))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}:${value.trim()}\n`)
    .join('')
}

/** Returns the expected signature of an S3 URL, in the form before version 4. */
export const olderSignatureOf = (request: WireRequest, _: Authorization, secret: string): string => {
  const { method, headers, query } = request
  const parts = [
    method,
    headers['content-md5'] ?? '',
    headers['content-type'] ?? '',
    query.get('Expires')?.[0] ?? '',
    `${amazonHeaders(request)}${resourceOf(request)}`,
  ]
  return createHmac('sha1', secret).update(parts.join('\n')).digest('base64')
}
