import * as z from 'zod'
import { extensionObject } from './extension-object.ts'
import { secretReference } from './references.ts'
import { bytes, optional } from './scalars.ts'

const networking = z.object({
  pods: optional(z.array(z.string()), 'CIDRs of the pods.'),
  nodes: optional(z.array(z.string()), 'CIDRs of the nodes.'),
  services: optional(z.array(z.string()), 'CIDRs of the services.'),
})

/** The network, identities and keys that a shoot's nodes need (docs/contract/kinds.md#infrastructure). */
export const infrastructureSchema = extensionObject(
  'Infrastructure',
  'The cloud infrastructure of a shoot.',
  {
    region: z.string().describe('Region of the shoot. Immutable.'),
    secretRef: secretReference.describe('The Secret with the credentials of the cloud.'),
    sshPublicKey: optional(bytes, 'Public SSH key for the nodes.'),
  },
  {
    nodesCIDR: optional(z.string(), 'The chosen CIDR of the nodes.'),
    networking: optional(networking, 'CIDRs of the shoot.'),
    egressCIDRs: optional(z.array(z.string()), 'Source CIDRs of outgoing traffic of the nodes.'),
  },
)
/** An Infrastructure, parsed with its schema. */
export type Infrastructure = z.infer<typeof infrastructureSchema>
