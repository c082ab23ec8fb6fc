import * as z from 'zod'
import { atomicMap, optional } from './scalars.ts'

/** Names a Secret. The API server accepts it without name or namespace, but a backend needs both to read it. */
export const secretReference = atomicMap(
  z.object({
    name: optional(z.string(), 'Name of the Secret.'),
    namespace: optional(z.string(), 'Namespace of the Secret.'),
  }),
)
