/** The exports for authors of functions; described in docs/library.md. */
export type { Clock } from '../../shared/clock/clock.ts'
export type { Classifier } from '../../shared/contract/classify.ts'
export type { ErrorCode, ExtensionClass } from '../../shared/contract/constants.ts'
export {
  ClaimLostError,
  CodedError,
  RequeueAfterError,
  StepExpiredError,
} from '../../shared/contract/errors.ts'
export type { KindName } from '../../shared/contract/kinds.ts'
export type {
  BackupBucket,
  BackupEntry,
  Bastion,
  Cluster,
  ContainerRuntime,
  ControlPlane,
  DNSRecord,
  Extension,
  Infrastructure,
  Network,
  OperatingSystemConfig,
  SelfHostedShootExposure,
  Worker,
} from '../../shared/contract/objects.ts'
export { type DesiredObject, deleteObject, ensureObject } from '../../shared/kubernetes/ensure-object.ts'
export {
  type GroupVersionResource,
  type Kubernetes,
  KubernetesError,
  type KubernetesObject,
} from '../../shared/kubernetes/kubernetes.ts'
export {
  type Actuator,
  continueAfter,
  done,
  type ForcedStepContext,
  type Orphans,
  orphaning,
  type ReadKubernetes,
  type Secret,
  type StepContext,
  type StepKubernetes,
  type StepResult,
} from '../../shared/lifecycle/lifecycle.ts'
export type { Log, LogFields } from '../../shared/log/log.ts'
export {
  defineFunction,
  type FunctionOptions,
  type SecondaryOptions,
} from '../../shared/runtime/define-function.ts'
export type {
  AttributeChange,
  CloudChange,
  CloudRequest,
  FunctionDefinition,
  FunctionDeps,
  FunctionPermission,
  FunctionPlan,
  PlanContext,
} from '../../shared/runtime/runtime.ts'
export { DefinitionError } from '../../shared/runtime/runtime.ts'
export type {
  SecondaryActuator,
  SecondaryContext,
  SecondaryKubernetes,
  SecondaryResult,
} from '../../shared/secondary/secondary.ts'
