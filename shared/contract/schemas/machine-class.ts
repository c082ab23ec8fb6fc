import * as z from 'zod'
import { machineHead } from './machine-head.ts'
import { secretReference } from './references.ts'
import { extensibleObject, optional, quantity, rawObject } from './scalars.ts'

/** The cloud's description of a deployment's machines; its fields are at the top level (docs/contract/workers.md). */
export const machineClassSchema = z
  .object({
    ...machineHead('MachineClass'),
    provider: optional(z.string(), 'The driver that creates the machines.'),
    credentialsSecretRef: optional(secretReference, 'The Secret with the credentials of the cloud.'),
    secretRef: optional(secretReference, 'The Secret with the user data.'),
    nodeTemplate: optional(
      extensibleObject({
        architecture: optional(z.string(), 'CPU architecture of a node.'),
        capacity: z.record(z.string(), quantity).describe('Resources of a node.'),
        virtualCapacity: optional(z.record(z.string(), quantity), 'Resources without a device.'),
        instanceType: z.string().describe('Machine type.'),
        region: z.string().describe('Region.'),
        zone: z.string().describe('Availability zone.'),
      }),
      'Capacity of a new node, for the autoscaler.',
    ),
    providerSpec: rawObject.describe('Machine definition in the format of the driver.'),
  })
  .describe('Machine definition of one deployment, for the cloud.')
export type MachineClass = z.infer<typeof machineClassSchema>
