/** The exports for authors of functions; described in docs/library.md. */
export type { Clock } from '../../shared/clock/clock.ts'
export type { Classifier } from '../../shared/contract/classify.ts'
export type { ErrorCode, ExtensionClass } from '../../shared/contract/constants.ts'
export {
  ClaimLostError,
  CodedError,
  configurationProblem,
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
  ManagedResource,
  Network,
  OperatingSystemConfig,
  SelfHostedShootExposure,
  Worker,
} from '../../shared/contract/objects.ts'
export { decodeStrictly } from '../../shared/decode/decode-strictly.ts'
export { formatProblems, type Problem, shown } from '../../shared/decode/problems.ts'
export { valueAt } from '../../shared/decode/record-of.ts'
export { configMaps, deployments, nodes, secrets } from '../../shared/kubernetes/core-resources.ts'
export {
  type DesiredObject,
  deleteObject,
  ensureObject,
  patchObject,
} from '../../shared/kubernetes/ensure-object.ts'
export {
  type GroupVersionResource,
  hasStatus,
  type Json,
  type Kubernetes,
  KubernetesError,
  type KubernetesObject,
  type Rendered,
  startDeadline,
} from '../../shared/kubernetes/kubernetes.ts'
export { listAll, listPages } from '../../shared/kubernetes/list-all.ts'
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
export { messageOf } from '../../shared/text/message-of.ts'
