import type { StepKubernetes } from '../actuator.ts'

const refuse = async (): Promise<never> => {
  throw new Error('this actuator has nothing beside its own object')
}

/** For steps of an actuator without Kubernetes calls. */
export const noKubernetes: StepKubernetes = {
  get: refuse,
  list: refuse,
  create: refuse,
  patch: refuse,
  apply: refuse,
  delete: refuse,
}
