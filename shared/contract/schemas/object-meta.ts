import * as z from 'zod'
import { apiVersion } from '../constants.ts'

/** The part of `metav1.ObjectMeta` that Trellis reads. The API server checks the rest. */
export const objectMeta = z.object({
  name: z.string().min(1),
  namespace: z.string().exactOptional(),
  uid: z.string().exactOptional(),
  resourceVersion: z.string().exactOptional(),
  generation: z.int().exactOptional(),
  creationTimestamp: z.string().exactOptional(),
  deletionTimestamp: z.string().exactOptional(),
  labels: z.record(z.string(), z.string()).exactOptional(),
  annotations: z.record(z.string(), z.string()).exactOptional(),
  finalizers: z.array(z.string()).exactOptional(),
})

/** Common first fields of the group's objects. */
export const objectHead = <K extends string>(kind: K) => ({
  apiVersion: z.literal(apiVersion),
  kind: z.literal(kind),
  metadata: objectMeta,
})
