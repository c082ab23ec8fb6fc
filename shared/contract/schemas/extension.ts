import type * as z from 'zod'
import { extensionObject } from './extension-object.ts'

/** Any other addition of an extension to a shoot, a seed or a garden (docs/contract/kinds.md#extension). */
export const extensionSchema = extensionObject(
  'Extension',
  'A feature that an extension adds to a shoot, a seed or a garden.',
  {},
)
/** An Extension, parsed with its schema. */
export type Extension = z.infer<typeof extensionSchema>
