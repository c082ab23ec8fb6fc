import type { Worker } from '../../contract/objects.ts'
import type { StepContext } from '../../lifecycle/lifecycle.ts'

/** The context of one step of the flow. */
export type WorkerStep = StepContext<Worker>

export const namespaceOf = ({ object }: Pick<WorkerStep, 'object'>): string => object.metadata.namespace ?? ''
