import { kinds } from '../../contract/kinds.ts'
import { messageOf } from '../../contract/message-of.ts'
import { startDeadline } from '../../kubernetes/kubernetes.ts'
import type { ControlPlaneStep } from '../flow/control-plane-step.ts'
import type { ShootCleanUp, ShootKubernetes } from '../provider.ts'

/** The API server of a shoot, as long as somebody needs it. */
export interface OpenedShoot {
  readonly kubernetes: ShootKubernetes
  readonly close: () => void
}

/** Reaches the API server of the shoot of a step. Rejects when nothing says how. */
export type OpenShoot = (
  step: Pick<ControlPlaneStep, 'object' | 'kubernetes' | 'clock' | 'signal'>,
) => Promise<OpenedShoot>

/** How long a clean-up may take, in ms: one of an API server that does not answer leaves the step time to say so. */
export const longestCleanUpMs = 20_000

/** What an error of a clean-up says beside its own reason. */
const restIsDone = 'everything else of the ControlPlane is reconciled'

/**
 * Does what is due in the shoot, and writes down that it is done. The API server of a shoot may be away for any reason, so all
 * the rest is written before; then the error says so.
 */
export const cleanUpShoot = async (
  step: ControlPlaneStep,
  openShoot: OpenShoot,
  { annotation, due, run }: ShootCleanUp,
): Promise<void> => {
  switch (due) {
    case 'nothing':
      return
    case 'forget':
      return annotate(step, annotation, null)
    case 'clean up':
      break
  }
  const deadline = startDeadline(step.clock, longestCleanUpMs, 'cleaning up the shoot', step.signal)
  const { signal } = deadline
  try {
    const shoot = await openShoot({ ...step, signal }).catch(error => {
      throw failed('could not create shoot client', error)
    })
    try {
      await within(signal, run(shoot.kubernetes, signal)).catch(error => {
        throw failed('', error)
      })
    } finally {
      shoot.close()
    }
  } finally {
    deadline.release()
  }
  await annotate(step, annotation, 'true')
}

const failed = (doing: string, error: unknown): Error =>
  new Error(`${doing === '' ? '' : `${doing}: `}${messageOf(error)}; ${restIsDone}`, { cause: error })

/** As the work ends, or when the time is up, whatever it does then. */
const within = async <T>(signal: AbortSignal, work: Promise<T>): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

const annotate = async (
  { object: { metadata }, kubernetes }: ControlPlaneStep,
  annotation: string,
  value: string | null,
): Promise<void> => {
  const { name, namespace = '', uid } = metadata
  await kubernetes.patch(
    kinds.ControlPlane.resource,
    { name, namespace },
    { metadata: { uid, annotations: { [annotation]: value } } },
  )
}
