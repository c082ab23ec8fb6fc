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
  name: z.string().describe('What the object is called in the state.'),
  resourceRef: resourceReference.describe("The object, in this object's namespace."),
})

/** Fields of every extension kind's status (docs/contract/lifecycle.md#object-shape). */
export const defaultStatus = {
  conditions: z.array(condition).describe('What is true about the object at present.').exactOptional(),
  lastError: lastError.describe('Why the last attempt failed; absent when it did not.').exactOptional(),
  lastOperation: lastOperation.describe('The operation that runs or ran last.').exactOptional(),
  observedGeneration: int64
    .describe('The generation of the spec that was last worked on to its end.')
    .exactOptional(),
  providerStatus: rawObject
    .describe("The provider's own outcome, which Gardener hands on unread.")
    .exactOptional(),
  resources: z
    .array(namedResource)
    .describe('Objects that the state refers to and that move with it to another seed.')
    .exactOptional(),
  state: rawObject
    .describe('What the backend must remember; moves with the shoot to another seed.')
    .exactOptional(),
}
