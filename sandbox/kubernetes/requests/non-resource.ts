import {
  aggregatedDiscovery,
  coreVersions,
  groupList,
  groupOf,
  resourceList,
} from '../discovery/discovery.ts'
import { openApiV2Document } from '../discovery/openapi/openapi-v2.ts'
import { openApiDocument, openApiIndex } from '../discovery/openapi/openapi-v3.ts'
import { answerReview, reviewKind } from '../discovery/reviews.ts'
import { encodeOpenApiV2 } from '../wire/encode-openapi-v2.ts'
import { decodeBody } from '../write/decode-object.ts'
import type { ApiContext } from './api-context.ts'
import { type ApiRequest, type ApiResponse, jsonResponse, textResponse } from './api-request.ts'
import { parseResourcePath } from './resource-path.ts'

/** The Kubernetes release that the server imitates. */
const version = {
  major: '1',
  minor: '32',
  gitVersion: 'v1.32.0+trellis',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: 'node',
  platform: `${process.platform}/${process.arch}`,
}

const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

const discovery = (
  { registry }: ApiContext,
  { method, headers }: ApiRequest,
  parts: readonly string[],
): ApiResponse | undefined => {
  const [root, first, second] = parts
  if (method !== 'GET' || (root !== 'api' && root !== 'apis')) return undefined
  if (parts.length === 1 && headers.accept?.includes(aggregatedType)) {
    return jsonResponse(200, aggregatedDiscovery(registry, root), { 'content-type': aggregatedType })
  }
  const document =
    root === 'api'
      ? parts.length === 1
        ? coreVersions()
        : resourceList(registry, '', first ?? '')
      : parts.length === 1
        ? groupList(registry)
        : parts.length === 2
          ? groupOf(registry, first ?? '')
          : resourceList(registry, first ?? '', second ?? '')
  return document && jsonResponse(200, document)
}

/** Handles discovery, OpenAPI, health, version and reviews. Returns undefined for every other path. */
export const handleNonResource = (
  context: ApiContext,
  request: ApiRequest,
  url: URL,
): ApiResponse | undefined => {
  const parts = url.pathname.split('/').filter(part => part !== '')
  const target = parseResourcePath(url.pathname)
  if (target) {
    const kind = request.method === 'POST' ? reviewKind(target.group, target.plural) : undefined
    if (kind === undefined) return parts.length > 3 ? undefined : discovery(context, request, parts)
    return jsonResponse(201, answerReview(kind, decodeBody(request.body, request.headers['content-type'])))
  }
  if (request.method !== 'GET') return undefined
  switch (url.pathname) {
    case '/healthz':
    case '/livez':
    case '/readyz':
      return textResponse(200, 'ok')
    case '/version':
      return jsonResponse(200, version)
    case '/openapi/v3':
      return jsonResponse(200, openApiIndex(context.registry))
    case '/openapi/v2':
      return openApiV2(context, request.headers.accept)
    default:
      break
  }
  if (parts[0] === 'openapi' && parts[1] === 'v3') {
    const [group = '', name = ''] = parts[2] === 'api' ? ['', parts[3]] : [parts[3], parts[4]]
    const document = openApiDocument(context.registry, group, name)
    return document && jsonResponse(200, document)
  }
  return discovery(context, request, parts)
}

const protobufOfOpenApi = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'

/** The name in kubectl's request. The response uses the name above. */
const deprecatedProtobuf = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'

/** Returns JSON or protobuf, whichever is first in `Accept`; 406 without a body if it names neither. */
const openApiV2 = ({ registry }: ApiContext, accept = '*/*'): ApiResponse => {
  const media = accept.split(',').map(clause => clause.split(';')[0]?.trim() ?? '')
  const chosen = media.find(type =>
    ['*/*', 'application/*', 'application/json', protobufOfOpenApi, deprecatedProtobuf].includes(type),
  )
  if (chosen === undefined) return { status: 406, headers: {}, body: '' }
  const document = openApiV2Document(registry)
  return chosen.includes('protobuf')
    ? {
        status: 200,
        headers: { 'content-type': protobufOfOpenApi, vary: 'Accept' },
        body: encodeOpenApiV2(document),
      }
    : jsonResponse(200, document, { vary: 'Accept' })
}
