import type { StepKubernetes } from '../actuator.ts'

const refuse = async (): Promise<never> => {
  throw new Error('this actuator has nothing beside its own object')
}

/** For the step of an actuator that needs no Kubernetes. */
export const noKubernetes: StepKubernetes = {
  get: refuse,
  list: refuse,
  create: refuse,
  patch: refuse,
  apply: refuse,
  delete: refuse,
}
