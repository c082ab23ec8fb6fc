import type { Transport } from './transport.ts'

/**
 * Returns a transport that reads only the metadata of objects (`PartialObjectMetadata`). A server that does not support
 * it sends whole objects. For lists and watches.
 */
export const metadataOnly =
  (transport: Transport): Transport =>
  request => {
    const kind = isWatch(request.path) ? 'PartialObjectMetadata' : 'PartialObjectMetadataList'
    const accept = `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`
    return transport({ ...request, headers: { ...request.headers, accept } })
  }

const isWatch = (path: string): boolean =>
  new URLSearchParams(path.slice(path.indexOf('?') + 1)).get('watch') === 'true'
