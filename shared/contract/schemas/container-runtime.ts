import * as z from 'zod'
import { defaultSpec } from './default-spec.ts'
import { defaultStatus } from './default-status.ts'
import { objectHead } from './object-meta.ts'
import { atomicList, atomicMap } from './scalars.ts'

const labelRequirement = z.object({
  key: z.string().describe('Label key.'),
  operator: z.string().describe('In, NotIn, Exists or DoesNotExist.'),
  values: atomicList(z.array(z.string())).describe('Values for In and NotIn.').exactOptional(),
})

/** `metav1.LabelSelector` */
const labelSelector = atomicMap(
  z.object({
    matchExpressions: atomicList(z.array(labelRequirement))
      .describe('Requirements that must all be met.')
      .exactOptional(),
    matchLabels: z
      .record(z.string(), z.string())
      .describe('Labels that must all be present.')
      .exactOptional(),
  }),
)

/** An additional container runtime on the nodes of a worker pool (docs/contract/kinds.md#containerruntime). */
export const containerRuntimeSchema = z
  .object({
    ...objectHead('ContainerRuntime'),
    spec: z
      .object({
        ...defaultSpec,
        binaryPath: z.string().describe('Directory on the node for the binaries of the runtime.'),
        workerPool: z
          .object({
            name: z.string().describe('Name of the worker pool. Immutable.'),
            selector: labelSelector.describe('Selects the nodes of the pool.'),
          })
          .describe('The worker pool that gets the runtime.'),
      })
      .describe('The desired state. Immutable while the object is being deleted.'),
    status: z.object(defaultStatus).describe('The observed state.').exactOptional(),
  })
  .describe('A container runtime on the nodes of a worker pool.')
/** A ContainerRuntime, parsed with its schema. */
export type ContainerRuntime = z.infer<typeof containerRuntimeSchema>
