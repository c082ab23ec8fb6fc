/** What a provider and a function need of the engine. */
export type { Applied, ApplyEvent } from './apply.ts'
export {
  type Attributes,
  type Change,
  type DesiredAttributes,
  knownAfterCreate,
  type Later,
  type Value,
} from './attributes.ts'
export { ActionError, ActionTimeout, ApplyError, type ErrorKind, type ErrorKindOf } from './error-kind.ts'
export {
  changeJson,
  formatLines,
  formatPlan,
  type PaintPlan,
  type PlanJson,
  type PlanLine,
  planJson,
} from './format-plan.ts'
export {
  type Graph,
  type GraphBuilder,
  graphOf,
  type Outcomes,
  type Ref,
  type ResourceOptions,
  type Unmark,
} from './graph.ts'
export { GraphError } from './graph-order.ts'
export { type Observation, type Read, reader } from './observation.ts'
export type { Action, ActionKind, LeftAlone, Plan } from './plan.ts'
export { planGraph, type ReconcileInput, type ReconcileOutcome, reconcileGraph } from './reconcile-graph.ts'
export type {
  CallContext,
  CreateContext,
  Found,
  FoundStatus,
  ListContext,
  NoNeeds,
  RemoveContext,
  ResourceType,
  UpdateContext,
} from './resource-type.ts'
export type { SaveState, State, StateCodec } from './state.ts'
export { notedWaits } from './waits.ts'
