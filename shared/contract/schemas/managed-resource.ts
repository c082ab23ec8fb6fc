import * as z from 'zod'
import { resourceApiVersion } from '../constants.ts'
import { condition } from './condition.ts'
import { objectMeta } from './object-meta.ts'
import { atomicMap, int64 } from './scalars.ts'

const textMap = z.record(z.string(), z.string())
const text = (description: string) => z.string().describe(description).exactOptional()

const secretRef = atomicMap(
  z.object({ name: z.string().meta({ description: 'Name of the Secret.', default: '' }).exactOptional() }),
)

const groupKind = z.object({
  group: z.string().describe('Group of the API.'),
  kind: z.string().describe('Kind of the object.'),
})

const spec = z.object({
  class: z
    .string()
    .describe('The responsible resource manager: seed, or the one of the shoot.')
    .exactOptional(),
  deletePersistentVolumeClaims: z
    .boolean()
    .describe('If true, volume claims are deleted with their StatefulSet.')
    .exactOptional(),
  equivalences: z
    .array(z.array(groupKind))
    .describe('Kinds that are equivalent under other names.')
    .exactOptional(),
  forceOverwriteAnnotations: z
    .boolean()
    .describe('If true, annotations by others are removed from the objects.')
    .exactOptional(),
  forceOverwriteLabels: z
    .boolean()
    .describe('If true, labels by others are removed from the objects.')
    .exactOptional(),
  injectLabels: textMap.describe('Labels that are added to every object.').exactOptional(),
  keepObjects: z.boolean().describe('If true, the objects are retained when it is deleted.').exactOptional(),
  secretRefs: z.array(secretRef).describe('Secrets with the manifests of the objects.'),
})

const objectReference = atomicMap(
  z.object({
    annotations: textMap.describe('Annotations that were applied.').exactOptional(),
    apiVersion: text('Version of the API.'),
    fieldPath: text('A part of the object.'),
    kind: text('Kind of the object.'),
    labels: textMap.describe('Labels that were applied.').exactOptional(),
    name: text('Name of the object.'),
    namespace: text('Namespace of the object.'),
    resourceVersion: text('Version of the object.'),
    uid: text('Uid of the object.'),
  }),
)
export type ManagedObjectReference = z.infer<typeof objectReference>

const status = z.object({
  conditions: z.array(condition).describe('Applied, healthy, progressing.').exactOptional(),
  observedGeneration: int64.describe('The last processed generation.').exactOptional(),
  resources: z.array(objectReference).describe('The objects that there are of it.').exactOptional(),
  secretsDataChecksum: z.string().describe('Checksum of the manifests that were applied.').exactOptional(),
})

/** Objects that a resource manager applies (docs/contract/managed-resources.md). */
export const managedResourceSchema = z
  .object({
    apiVersion: z.literal(resourceApiVersion),
    kind: z.literal('ManagedResource'),
    metadata: objectMeta,
    spec: spec.describe('The objects, and options for applying them.').exactOptional(),
    status: status.describe('State of the objects.').exactOptional(),
  })
  .describe('Objects that a resource manager applies.')
/** A ManagedResource: objects that a resource manager applies, and their state. */
export type ManagedResource = z.infer<typeof managedResourceSchema>
