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
      .describe('The desired state. Immutable while the object is being deleted.'),
    status: z
      .object({
        ...defaultStatus,
        nodesCIDR: z.string().describe('The chosen CIDR of the nodes.').exactOptional(),
        networking: networking.describe('CIDRs of the shoot.').exactOptional(),
        egressCIDRs: z
          .array(z.string())
          .describe('Source CIDRs of outgoing traffic of the nodes.')
          .exactOptional(),
      })
      .describe('The observed state.')
      .exactOptional(),
  })
  .describe('The cloud infrastructure of a shoot.')
/** An Infrastructure, parsed with its schema. */
export type Infrastructure = z.infer<typeof infrastructureSchema>
