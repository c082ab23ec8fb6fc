import * as z from 'zod'
import { extensionObject } from './extension-object.ts'
import { loadBalancerIngress } from './load-balancer-ingress.ts'
import { atomicList, bytes, optional } from './scalars.ts'

const ipBlock = z.object({
  cidr: z.string().describe('Addresses that may connect.'),
  except: optional(atomicList(z.array(z.string())), 'Excluded addresses of this range.'),
})

/** A jump host into a shoot's nodes (docs/contract/kinds.md#bastion). */
export const bastionSchema = extensionObject(
  'Bastion',
  'A jump host for the nodes of a shoot.',
  {
    userData: bytes.describe('User data of the machine. Immutable.'),
    ingress: z
      .array(z.object({ ipBlock: ipBlock.describe('A range of addresses.') }))
      .describe('Sources that may connect over SSH.'),
  },
  { ingress: optional(loadBalancerIngress, 'Address of the bastion.') },
)
/** A Bastion, parsed with its schema. */
export type Bastion = z.infer<typeof bastionSchema>
