import * as z from 'zod'
import { defaultSpec } from './default-spec.ts'
import { defaultStatus } from './default-status.ts'
import { objectHead } from './object-meta.ts'
import { secretReference } from './references.ts'
import { rawObject } from './scalars.ts'

/** The provider's part of a shoot's control plane (docs/contract/kinds.md#controlplane). */
export const controlPlaneSchema = z
  .object({
    ...objectHead('ControlPlane'),
    spec: z
      .object({
        ...defaultSpec,
        infrastructureProviderStatus: rawObject
          .describe('The status.providerStatus of the Infrastructure.')
          .exactOptional(),
        region: z.string().describe('Region of the shoot. Immutable.'),
        secretRef: secretReference.describe('The Secret with the credentials of the cloud.'),
      })
      .describe('The desired state. Immutable while the object is being deleted.'),
    status: z.object(defaultStatus).describe('The observed state.').exactOptional(),
  })
  .describe("The cloud provider's components of a shoot's control plane.")
/** A ControlPlane, parsed with its schema. */
export type ControlPlane = z.infer<typeof controlPlaneSchema>
