import * as z from 'zod'
import { extensionObject } from './extension-object.ts'
import { optional } from './scalars.ts'

const ipFamilies = z.array(z.enum(['IPv4', 'IPv6']))

/** The pod network of a shoot (docs/contract/kinds.md#network). */
export const networkSchema = extensionObject(
  'Network',
  'The pod network of a shoot.',
  {
    podCIDR: z.string().describe('CIDR of the pods. Immutable.'),
    serviceCIDR: z.string().describe('CIDR of the services. Immutable.'),
    ipFamilies: optional(ipFamilies, 'IPv4, IPv6 or both. May only change from one to both.'),
  },
  { ipFamilies: optional(ipFamilies, 'The families that the network plugin supports.') },
)
/** A Network, parsed with its schema. */
export type Network = z.infer<typeof networkSchema>
