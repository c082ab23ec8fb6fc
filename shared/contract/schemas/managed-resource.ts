import * as z from 'zod'
import { resourceApiVersion } from '../constants.ts'
import { condition } from './condition.ts'
import { objectMeta } from './object-meta.ts'
import { atomicMap, int64, optional } from './scalars.ts'

const textMap = z.record(z.string(), z.string())
const text = (description: string) => optional(z.string(), description)

const secretRef = atomicMap(
  z.object({ name: z.string().meta({ description: 'Name of the Secret.', default: '' }).exactOptional() }),
)

const groupKind = z.object({
  group: z.string().describe('Group of the API.'),
  kind: z.string().describe('Kind of the object.'),
})

const spec = z.object({
  class: optional(z.string(), 'The responsible resource manager: seed, or the one of the shoot.'),
  deletePersistentVolumeClaims: optional(
    z.boolean(),
    'If true, volume claims are deleted with their StatefulSet.',
  ),
  equivalences: optional(z.array(z.array(groupKind)), 'Kinds that are equivalent under other names.'),
  forceOverwriteAnnotations: optional(
    z.boolean(),
    'If true, annotations by others are removed from the objects.',
  ),
  forceOverwriteLabels: optional(z.boolean(), 'If true, labels by others are removed from the objects.'),
  injectLabels: optional(textMap, 'Labels that are added to every object.'),
  keepObjects: optional(z.boolean(), 'If true, the objects are retained when it is deleted.'),
  secretRefs: z.array(secretRef).describe('Secrets with the manifests of the objects.'),
})

const objectReference = atomicMap(
  z.object({
    annotations: optional(textMap, 'Annotations that were applied.'),
    apiVersion: text('Version of the API.'),
    fieldPath: text('A part of the object.'),
    kind: text('Kind of the object.'),
    labels: optional(textMap, 'Labels that were applied.'),
    name: text('Name of the object.'),
    namespace: text('Namespace of the object.'),
    resourceVersion: text('Version of the object.'),
    uid: text('Uid of the object.'),
  }),
)
export type ManagedObjectReference = z.infer<typeof objectReference>

const status = z.object({
  conditions: optional(z.array(condition), 'Applied, healthy, progressing.'),
  observedGeneration: optional(int64, 'The last processed generation.'),
  resources: optional(z.array(objectReference), 'The objects that there are of it.'),
  secretsDataChecksum: optional(z.string(), 'Checksum of the manifests that were applied.'),
})

/** Objects that a resource manager applies (docs/contract/managed-resources.md). */
export const managedResourceSchema = z
  .object({
    apiVersion: z.literal(resourceApiVersion),
    kind: z.literal('ManagedResource'),
    metadata: objectMeta,
    spec: optional(spec, 'The objects, and options for applying them.'),
    status: optional(status, 'State of the objects.'),
  })
  .describe('Objects that a resource manager applies.')
/** A ManagedResource: objects that a resource manager applies, and their state. */
export type ManagedResource = z.infer<typeof managedResourceSchema>
