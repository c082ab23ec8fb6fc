import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import type { StepContext } from '../actuator.ts'

type Given = 'object' | 'operation' | 'cluster' | 'secret' | 'kubernetes' | 'clock' | 'signal'

const silent = () => {}

/** Returns the context of a planned step: no deadline, and no output. */
export const plannedStep = <O extends KubernetesObject>(
  given: Pick<StepContext<O>, Given>,
): StepContext<O> => ({
  ...given,
  log: { debug: silent, info: silent, warn: silent, error: silent },
  saveStatus: async () => {},
  throwIfExpired: () => given.signal.throwIfAborted(),
})
