import * as z from 'zod'
import { machineHead } from './machine-head.ts'
import { secretReference } from './references.ts'
import { extensibleObject, quantity, rawObject } from './scalars.ts'

/** The cloud's description of a deployment's machines; its fields are at the top level (docs/contract/workers.md). */
export const machineClassSchema = z
  .object({
    ...machineHead('MachineClass'),
    provider: z.string().describe('Which driver makes the machines.').exactOptional(),
    credentialsSecretRef: secretReference
      .describe('The Secret with the credentials of the cloud.')
      .exactOptional(),
    secretRef: secretReference.describe('The Secret with the user data.').exactOptional(),
    nodeTemplate: extensibleObject({
      architecture: z.string().describe('CPU architecture of a node.').exactOptional(),
      capacity: z.record(z.string(), quantity).describe('Resources of a node.'),
      virtualCapacity: z
        .record(z.string(), quantity)
        .describe('Resources that no device stands for.')
        .exactOptional(),
      instanceType: z.string().describe('Machine type.'),
      region: z.string().describe('Region.'),
      zone: z.string().describe('Availability zone.'),
    })
      .describe('What the autoscaler expects of a new node.')
      .exactOptional(),
    providerSpec: rawObject.describe('What a machine is, in the words of the driver.'),
  })
  .describe('What the machines of one deployment are, for the cloud.')
export type MachineClass = z.infer<typeof machineClassSchema>
