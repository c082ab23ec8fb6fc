import * as z from 'zod'
import { defaultSpec } from './default-spec.ts'
import { defaultStatus } from './default-status.ts'
import { loadBalancerIngress } from './load-balancer-ingress.ts'
import { objectHead } from './object-meta.ts'
import { atomicList, bytes } from './scalars.ts'

const ipBlock = z.object({
  cidr: z.string().describe('Addresses that may connect.'),
  except: atomicList(z.array(z.string())).describe('Addresses among them that may not.').exactOptional(),
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
          .describe('Who may connect over SSH.'),
      })
      .describe('What is wanted. Immutable once the object is being deleted.'),
    status: z
      .object({
        ...defaultStatus,
        ingress: loadBalancerIngress.describe('Where the bastion can be reached.').exactOptional(),
      })
      .describe('What is there.')
      .exactOptional(),
  })
  .describe('A jump host into the nodes of a shoot.')
export type Bastion = z.infer<typeof bastionSchema>
