import * as z from 'zod'
import { extensionObject } from './extension-object.ts'
import { atomicList, atomicMap, optional } from './scalars.ts'

const labelRequirement = z.object({
  key: z.string().describe('Label key.'),
  operator: z.string().describe('In, NotIn, Exists or DoesNotExist.'),
  values: optional(atomicList(z.array(z.string())), 'Values for In and NotIn.'),
})

/** `metav1.LabelSelector` */
const labelSelector = atomicMap(
  z.object({
    matchExpressions: optional(atomicList(z.array(labelRequirement)), 'Requirements that must all be met.'),
    matchLabels: optional(z.record(z.string(), z.string()), 'Labels that must all be present.'),
  }),
)

/** An additional container runtime on the nodes of a worker pool (docs/contract/kinds.md#containerruntime). */
export const containerRuntimeSchema = extensionObject(
  'ContainerRuntime',
  'A container runtime on the nodes of a worker pool.',
  {
    binaryPath: z.string().describe('Directory on the node for the binaries of the runtime.'),
    workerPool: z
      .object({
        name: z.string().describe('Name of the worker pool. Immutable.'),
        selector: labelSelector.describe('Selects the nodes of the pool.'),
      })
      .describe('The worker pool that gets the runtime.'),
  },
)
/** A ContainerRuntime, parsed with its schema. */
export type ContainerRuntime = z.infer<typeof containerRuntimeSchema>
