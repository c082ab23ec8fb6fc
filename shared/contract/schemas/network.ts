import * as z from 'zod'
import { defaultSpec } from './default-spec.ts'
import { defaultStatus } from './default-status.ts'
import { objectHead } from './object-meta.ts'

const ipFamilies = z.array(z.enum(['IPv4', 'IPv6']))

/** The pod network of a shoot (docs/contract/kinds.md#network). */
export const networkSchema = z
  .object({
    ...objectHead('Network'),
    spec: z
      .object({
        ...defaultSpec,
        podCIDR: z.string().describe('CIDR of the pods. Immutable.'),
        serviceCIDR: z.string().describe('CIDR of the services. Immutable.'),
        ipFamilies: ipFamilies
          .describe('IPv4, IPv6 or both. May only change from one to both.')
          .exactOptional(),
      })
      .describe('The desired state. Immutable while the object is being deleted.'),
    status: z
      .object({
        ...defaultStatus,
        ipFamilies: ipFamilies.describe('The families that the network plugin supports.').exactOptional(),
      })
      .describe('The observed state.')
      .exactOptional(),
  })
  .describe('The pod network of a shoot.')
/** A Network, parsed with its schema. */
export type Network = z.infer<typeof networkSchema>
