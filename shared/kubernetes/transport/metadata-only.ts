import type { Transport } from './transport.ts'

/**
 * The same transport, over which objects are read with their metadata alone (`PartialObjectMetadata`): the rest is not sent.
 * A server that does not know of it sends whole objects. For lists and watches.
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
