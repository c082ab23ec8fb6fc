import * as z from 'zod'
import { atomicMap } from './scalars.ts'

/** Names a Secret. The API server accepts it without name or namespace, but a backend needs both to read it. */
export const secretReference = atomicMap(
  z.object({
    name: z.string().describe('Name of the Secret.').exactOptional(),
    namespace: z.string().describe('Namespace of the Secret.').exactOptional(),
  }),
)
