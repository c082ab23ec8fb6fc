import * as z from 'zod'
import { objectMeta } from '../../contract/schemas/object-meta.ts'

/** The parts of the machine controller's objects that the flow reads; the rest is kept (docs/contract/workers.md). */

const condition = z.looseObject({
  type: z.string(),
  status: z.string(),
  reason: z.string().nullish(),
  message: z.string().nullish(),
})

const meta = z.looseObject({
  ...objectMeta.shape,
  ownerReferences: z.array(z.looseObject({ kind: z.string(), name: z.string(), uid: z.string() })).nullish(),
})

const count = z.int().nullish()

const lastOperation = z.looseObject({
  description: z.string().nullish(),
  errorCode: z.string().nullish(),
})

const templateSpec = z.looseObject({ class: z.looseObject({ name: z.string().nullish() }).nullish() })

export const machineDeploymentSchema = z.looseObject({
  metadata: meta,
  spec: z.looseObject({
    replicas: count,
    template: z.looseObject({ spec: templateSpec.nullish() }),
  }),
  status: z
    .looseObject({
      observedGeneration: count,
      replicas: count,
      updatedReplicas: count,
      readyReplicas: count,
      availableReplicas: count,
      unavailableReplicas: count,
      preservedFailedReplicas: count,
      conditions: z.array(condition).nullish(),
      failedMachines: z
        .array(z.looseObject({ name: z.string().nullish(), lastOperation: lastOperation.nullish() }))
        .nullish(),
    })
    .nullish(),
})
export type MachineDeployment = z.infer<typeof machineDeploymentSchema>

export const machineSetSchema = z.looseObject({
  metadata: meta,
  spec: z
    .looseObject({ replicas: count, template: z.looseObject({ spec: templateSpec.nullish() }).nullish() })
    .nullish(),
  status: z.looseObject({ replicas: count }).nullish(),
})
export type MachineSet = z.infer<typeof machineSetSchema>

export const machineSchema = z.looseObject({
  metadata: meta,
  status: z
    .looseObject({ conditions: z.array(condition).nullish(), lastOperation: lastOperation.nullish() })
    .nullish(),
})
export type Machine = z.infer<typeof machineSchema>
