/** The exports for functions of Workers; described in docs/workers.md. */
export {
  type DesiredClasses,
  type DesiredInput,
  type HashInput,
  type MachineClassContent,
  type MachineProvider,
  type NodeTemplate,
  type PoolClasses,
  type PoolProblem,
  poolProblem,
  type ReadShootState,
  type WorkerFlowOptions,
  workerFlow,
  workerPermissions,
  type ZoneClass,
} from '../../shared/worker/worker.ts'
