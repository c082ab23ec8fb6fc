import type { Codec } from './codec.ts'
import type { ServiceModel } from './model.ts'
import { createQueryCodec } from './query/query-codec.ts'
import { createRestCodec } from './rest/rest-codec.ts'

/**
 * Creates the codec of a service from its model.
 *
 * @example const codec = createCodec(serviceModel({ name: 'sts', protocol: 'awsQuery', version: '2011-06-15', schemas
 *   })) const { operation, readInput } = codec.route(request) return codec.encode(operation, handle(readInput()),
 *   requestId)
 */
export const createCodec = (model: ServiceModel): Codec => {
  switch (model.protocol) {
    case 'awsQuery':
    case 'ec2Query':
      return createQueryCodec(model, model.protocol)
    case 'restXml':
    case 'restJson':
      return createRestCodec(model)
  }
}
