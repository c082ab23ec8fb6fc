import type { Worker } from '../../contract/objects.ts'
import type { StepContext } from '../../lifecycle/lifecycle.ts'

/** What the flow gets for one step. */
export type WorkerStep = StepContext<Worker>

export const namespaceOf = ({ object }: Pick<WorkerStep, 'object'>): string => object.metadata.namespace ?? ''
