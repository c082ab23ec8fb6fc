import * as z from 'zod'
import { machineHead } from './machine-head.ts'
import { secretReference } from './references.ts'
import { extensibleObject, quantity, rawObject } from './scalars.ts'

/** The cloud's description of a deployment's machines; its fields are at the top level (docs/contract/workers.md). */
export const machineClassSchema = z
  .object({
    ...machineHead('MachineClass'),
    provider: z.string().describe('The driver that creates the machines.').exactOptional(),
    credentialsSecretRef: secretReference
      .describe('The Secret with the credentials of the cloud.')
      .exactOptional(),
    secretRef: secretReference.describe('The Secret with the user data.').exactOptional(),
    nodeTemplate: extensibleObject({
      architecture: z.string().describe('CPU architecture of a node.').exactOptional(),
      capacity: z.record(z.string(), quantity).describe('Resources of a node.'),
      virtualCapacity: z.record(z.string(), quantity).describe('Resources without a device.').exactOptional(),
      instanceType: z.string().describe('Machine type.'),
      region: z.string().describe('Region.'),
      zone: z.string().describe('Availability zone.'),
    })
      .describe('Capacity of a new node, for the autoscaler.')
      .exactOptional(),
    providerSpec: rawObject.describe('Machine definition in the format of the driver.'),
  })
  .describe('Machine definition of one deployment, for the cloud.')
export type MachineClass = z.infer<typeof machineClassSchema>
