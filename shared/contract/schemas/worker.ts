import * as z from 'zod'
import { extensionObject } from './extension-object.ts'
import { secretReference } from './references.ts'
import { bytes, dateTime, int32, optional, rawObject } from './scalars.ts'
import { workerPool } from './worker-pool.ts'

const machineDeployment = z.object({
  name: z.string().describe('Name of the MachineDeployment.'),
  minimum: int32.describe('Fewest machines.'),
  maximum: int32.describe('Most machines.'),
  priority: optional(int32, 'Priority for the autoscaler.'),
  autoPreserveFailedMachineMax: optional(int32, 'Maximum number of failed machines to preserve.'),
})

/** The machines of a shoot (docs/contract/kinds.md#worker). */
export const workerSchema = extensionObject(
  'Worker',
  'The machines of a shoot.',
  {
    infrastructureProviderStatus: optional(rawObject, 'The status.providerStatus of the Infrastructure.'),
    region: z.string().describe('Region of the shoot. Immutable.'),
    secretRef: secretReference.describe('The Secret with the credentials of the cloud.'),
    sshPublicKey: optional(bytes, 'Public SSH key for the machines.'),
    pools: z.array(workerPool).describe('The worker pools.'),
  },
  {
    machineDeployments: optional(z.array(machineDeployment), 'The MachineDeployments, for the autoscaler.'),
    machineDeploymentsLastUpdateTime: optional(dateTime, 'Time at which machineDeployments was written.'),
    inPlaceUpdates: optional(
      z.object({
        workerPoolToHashMap: optional(
          z.record(z.string(), z.string()),
          'Hash of each pool that is updated in place.',
        ),
      }),
      'Progress of updates in place.',
    ),
  },
)
/** A Worker, parsed with its schema. */
export type Worker = z.infer<typeof workerSchema>
