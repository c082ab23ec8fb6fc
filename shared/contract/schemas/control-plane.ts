import * as z from 'zod'
import { extensionObject } from './extension-object.ts'
import { secretReference } from './references.ts'
import { optional, rawObject } from './scalars.ts'

/** The provider's part of a shoot's control plane (docs/contract/kinds.md#controlplane). */
export const controlPlaneSchema = extensionObject(
  'ControlPlane',
  "The cloud provider's components of a shoot's control plane.",
  {
    infrastructureProviderStatus: optional(rawObject, 'The status.providerStatus of the Infrastructure.'),
    region: z.string().describe('Region of the shoot. Immutable.'),
    secretRef: secretReference.describe('The Secret with the credentials of the cloud.'),
  },
)
/** A ControlPlane, parsed with its schema. */
export type ControlPlane = z.infer<typeof controlPlaneSchema>
