import * as z from 'zod'
import { defaultSpec } from './default-spec.ts'
import { defaultStatus } from './default-status.ts'
import { objectHead } from './object-meta.ts'

/** Any other addition of an extension to a shoot, a seed or a garden (docs/contract/kinds.md#extension). */
export const extensionSchema = z
  .object({
    ...objectHead('Extension'),
    spec: z.object(defaultSpec).describe('The desired state. Immutable while the object is being deleted.'),
    status: z.object(defaultStatus).describe('The observed state.').exactOptional(),
  })
  .describe('A feature that an extension adds to a shoot, a seed or a garden.')
/** An Extension, parsed with its schema. */
export type Extension = z.infer<typeof extensionSchema>
