import * as z from 'zod'
import { condition } from './condition.ts'
import { lastError, lastOperation } from './last-operation.ts'
import { objectHead } from './object-meta.ts'
import { atomicMap, immutableField, int64, optional, rawObject } from './scalars.ts'

/** Fields of every extension kind's spec (docs/contract/lifecycle.md#object-shape). */
const defaultSpec = {
  type: z.string().describe("The responsible backend: the provider's name for the kind. Immutable."),
  class: optional(immutableField(z.string()), 'shoot (default), seed or garden. Immutable.'),
  providerConfig: optional(
    rawObject,
    'Configuration of the provider. Gardener passes it on without reading it.',
  ),
}

const resourceReference = atomicMap(
  z.object({
    apiVersion: optional(z.string(), 'API version of the object.'),
    kind: z.string().describe('Kind of the object.'),
    name: z.string().describe('Name of the object.'),
  }),
)

const namedResource = z.object({
  name: z.string().describe('Name of the object in the state.'),
  resourceRef: resourceReference.describe("The object, in this object's namespace."),
})

/** Fields of every extension kind's status (docs/contract/lifecycle.md#object-shape). */
const defaultStatus = {
  conditions: optional(z.array(condition), 'Current conditions of the object.'),
  lastError: optional(lastError, 'Error of the last attempt; absent if it succeeded.'),
  lastOperation: optional(lastOperation, 'The current or last operation.'),
  observedGeneration: optional(int64, 'The last generation of the spec that was processed completely.'),
  providerStatus: optional(rawObject, 'Result of the provider. Gardener passes it on without reading it.'),
  resources: optional(
    z.array(namedResource),
    'Objects that the state refers to. They move to another seed with it.',
  ),
  state: optional(rawObject, 'State of the backend. It moves to another seed with the shoot.'),
}

/** The schema of an extension kind: the fields of every kind, and those of this one. */
export const extensionObject = <
  K extends string,
  Spec extends z.ZodRawShape,
  Status extends z.ZodRawShape = Record<never, never>,
>(
  kind: K,
  description: string,
  spec: Spec,
  status = {} as Status,
) =>
  z
    .object({
      ...objectHead(kind),
      spec: z
        .object({ ...defaultSpec, ...spec })
        .describe('The desired state. Immutable while the object is being deleted.'),
      status: optional(z.object({ ...defaultStatus, ...status }), 'The observed state.'),
    })
    .describe(description)
