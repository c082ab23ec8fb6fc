import * as z from 'zod'
import { immutableField, rawObject } from './scalars.ts'

/** Fields of every extension kind's spec (docs/contract/lifecycle.md#object-shape). */
export const defaultSpec = {
  type: z.string().describe("Which backend is responsible: the provider's name for the kind. Immutable."),
  class: immutableField(z.string())
    .describe('Where the object belongs: shoot (when absent), seed or garden. Immutable.')
    .exactOptional(),
  providerConfig: rawObject
    .describe("The provider's own configuration, which Gardener hands on unread.")
    .exactOptional(),
}
