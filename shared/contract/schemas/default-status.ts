import * as z from 'zod'
import { condition } from './condition.ts'
import { lastError, lastOperation } from './last-operation.ts'
import { atomicMap, int64, rawObject } from './scalars.ts'

const resourceReference = atomicMap(
  z.object({
    apiVersion: z.string().describe('API version of the object.').exactOptional(),
    kind: z.string().describe('Kind of the object.'),
    name: z.string().describe('Name of the object.'),
  }),
)

const namedResource = z.object({
  name: z.string().describe('Name of the object in the state.'),
  resourceRef: resourceReference.describe("The object, in this object's namespace."),
})

/** Fields of every extension kind's status (docs/contract/lifecycle.md#object-shape). */
export const defaultStatus = {
  conditions: z.array(condition).describe('Current conditions of the object.').exactOptional(),
  lastError: lastError.describe('Error of the last attempt; absent if it succeeded.').exactOptional(),
  lastOperation: lastOperation.describe('The current or last operation.').exactOptional(),
  observedGeneration: int64
    .describe('The last generation of the spec that was processed completely.')
    .exactOptional(),
  providerStatus: rawObject
    .describe('Result of the provider. Gardener passes it on without reading it.')
    .exactOptional(),
  resources: z
    .array(namedResource)
    .describe('Objects that the state refers to. They move to another seed with it.')
    .exactOptional(),
  state: rawObject.describe('State of the backend. It moves to another seed with the shoot.').exactOptional(),
}
