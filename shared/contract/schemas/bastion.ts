import * as z from 'zod'
import { defaultSpec } from './default-spec.ts'
import { defaultStatus } from './default-status.ts'
import { loadBalancerIngress } from './load-balancer-ingress.ts'
import { objectHead } from './object-meta.ts'
import { atomicList, bytes } from './scalars.ts'

const ipBlock = z.object({
  cidr: z.string().describe('Addresses that may connect.'),
  except: atomicList(z.array(z.string())).describe('Excluded addresses of this range.').exactOptional(),
})

/** A jump host into a shoot's nodes (docs/contract/kinds.md#bastion). */
export const bastionSchema = z
  .object({
    ...objectHead('Bastion'),
    spec: z
      .object({
        ...defaultSpec,
        userData: bytes.describe('User data of the machine. Immutable.'),
        ingress: z
          .array(z.object({ ipBlock: ipBlock.describe('A range of addresses.') }))
          .describe('Sources that may connect over SSH.'),
      })
      .describe('The desired state. Immutable while the object is being deleted.'),
    status: z
      .object({
        ...defaultStatus,
        ingress: loadBalancerIngress.describe('Address of the bastion.').exactOptional(),
      })
      .describe('The observed state.')
      .exactOptional(),
  })
  .describe('A jump host for the nodes of a shoot.')
/** A Bastion, parsed with its schema. */
export type Bastion = z.infer<typeof bastionSchema>
