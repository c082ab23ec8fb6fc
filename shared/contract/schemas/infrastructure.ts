import * as z from 'zod'
import { defaultSpec } from './default-spec.ts'
import { defaultStatus } from './default-status.ts'
import { objectHead } from './object-meta.ts'
import { secretReference } from './references.ts'
import { bytes } from './scalars.ts'

const networking = z.object({
  pods: z.array(z.string()).describe('CIDRs of the pods.').exactOptional(),
  nodes: z.array(z.string()).describe('CIDRs of the nodes.').exactOptional(),
  services: z.array(z.string()).describe('CIDRs of the services.').exactOptional(),
})

/** The network, identities and keys that a shoot's nodes need (docs/contract/kinds.md#infrastructure). */
export const infrastructureSchema = z
  .object({
    ...objectHead('Infrastructure'),
    spec: z
      .object({
        ...defaultSpec,
        region: z.string().describe('Region of the shoot. Immutable.'),
        secretRef: secretReference.describe('The Secret with the credentials of the cloud.'),
        sshPublicKey: bytes.describe('Public SSH key for the nodes.').exactOptional(),
      })
      .describe('What is wanted. Immutable once the object is being deleted.'),
    status: z
      .object({
        ...defaultStatus,
        nodesCIDR: z.string().describe('CIDR of the nodes that was chosen.').exactOptional(),
        networking: networking.describe('CIDRs that the shoot uses.').exactOptional(),
        egressCIDRs: z
          .array(z.string())
          .describe('Source CIDRs of the traffic that leaves the nodes.')
          .exactOptional(),
      })
      .describe('What is there.')
      .exactOptional(),
  })
  .describe('The cloud infrastructure of a shoot.')
export type Infrastructure = z.infer<typeof infrastructureSchema>
