import * as z from 'zod'
import { defaultSpec } from './default-spec.ts'
import { defaultStatus } from './default-status.ts'
import { objectHead } from './object-meta.ts'
import { secretReference } from './references.ts'
import { bytes, dateTime, int32, rawObject } from './scalars.ts'
import { workerPool } from './worker-pool.ts'

const machineDeployment = z.object({
  name: z.string().describe('Name of the MachineDeployment.'),
  minimum: int32.describe('Fewest machines.'),
  maximum: int32.describe('Most machines.'),
  priority: int32.describe('Priority for the autoscaler.').exactOptional(),
  autoPreserveFailedMachineMax: int32
    .describe('Maximum number of failed machines to preserve.')
    .exactOptional(),
})

/** The machines of a shoot (docs/contract/kinds.md#worker). */
export const workerSchema = z
  .object({
    ...objectHead('Worker'),
    spec: z
      .object({
        ...defaultSpec,
        infrastructureProviderStatus: rawObject
          .describe('The status.providerStatus of the Infrastructure.')
          .exactOptional(),
        region: z.string().describe('Region of the shoot. Immutable.'),
        secretRef: secretReference.describe('The Secret with the credentials of the cloud.'),
        sshPublicKey: bytes.describe('Public SSH key for the machines.').exactOptional(),
        pools: z.array(workerPool).describe('The worker pools.'),
      })
      .describe('The desired state. Immutable while the object is being deleted.'),
    status: z
      .object({
        ...defaultStatus,
        machineDeployments: z
          .array(machineDeployment)
          .describe('The MachineDeployments, for the autoscaler.')
          .exactOptional(),
        machineDeploymentsLastUpdateTime: dateTime
          .describe('Time at which machineDeployments was written.')
          .exactOptional(),
        inPlaceUpdates: z
          .object({
            workerPoolToHashMap: z
              .record(z.string(), z.string())
              .describe('Hash of each pool that is updated in place.')
              .exactOptional(),
          })
          .describe('Progress of updates in place.')
          .exactOptional(),
      })
      .describe('The observed state.')
      .exactOptional(),
  })
  .describe('The machines of a shoot.')
/** A Worker, parsed with its schema. */
export type Worker = z.infer<typeof workerSchema>
