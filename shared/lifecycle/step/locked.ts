import { KubernetesError } from '../../kubernetes/port.ts'
import type { StepOutcome } from './step.ts'

/** 409 and 404: somebody else was faster, so everything is decided again from the live object. */
export const locked = async <T>(
  write: () => Promise<T>,
  then: (written: T) => StepOutcome | Promise<StepOutcome>,
): Promise<StepOutcome | 'decide-again'> => {
  let written: T
  try {
    written = await write()
  } catch (error) {
    if (error instanceof KubernetesError && (error.status === 409 || error.status === 404))
      return 'decide-again'
    throw error
  }
  return then(written)
}
