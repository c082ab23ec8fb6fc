import * as z from 'zod'
import { immutableField, rawObject } from './scalars.ts'

/** Fields of every extension kind's spec (docs/contract/lifecycle.md#object-shape). */
export const defaultSpec = {
  type: z.string().describe("The responsible backend: the provider's name for the kind. Immutable."),
  class: immutableField(z.string()).describe('shoot (default), seed or garden. Immutable.').exactOptional(),
  providerConfig: rawObject
    .describe('Configuration of the provider. Gardener passes it on without reading it.')
    .exactOptional(),
}
