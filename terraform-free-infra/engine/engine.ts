/** What a provider and a function need of the engine. */
export type { Applied, ApplyEvent } from './apply.ts'
export {
  type Attributes,
  type Change,
  knownAfterCreate,
  type Later,
  type Value,
  type Wish,
} from './attributes.ts'
export { ActionError, ActionTimeout, ApplyError, type Fault, type FaultOf } from './fault.ts'
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
export { planStep, runStep, type StepInput, type StepOutcome } from './step.ts'
export { notedWaits } from './waits.ts'
