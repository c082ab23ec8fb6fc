import { withinSignal } from '../../clock/clock.ts'
import { kinds } from '../../contract/kinds.ts'
import { startDeadline } from '../../kubernetes/kubernetes.ts'
import { messageOf } from '../../text/message-of.ts'
import type { ControlPlaneStep } from '../flow/control-plane-step.ts'
import type { ShootCleanUp, ShootKubernetes } from '../provider.ts'

/** A connection to the API server of a shoot. Call `close` after use. */
export interface OpenedShoot {
  readonly kubernetes: ShootKubernetes
  readonly close: () => void
}

/** Connects to the API server of a step's shoot. Rejects without a kubeconfig. */
export type OpenShoot = (
  step: Pick<ControlPlaneStep, 'object' | 'kubernetes' | 'clock' | 'signal'>,
) => Promise<OpenedShoot>

/** Timeout of a clean-up in milliseconds. It leaves the step time to report an API server that does not respond. */
const longestCleanUpMs = 20_000

/** Added to every error of a clean-up. */
const restIsDone = 'everything else of the ControlPlane is reconciled'

/**
 * Runs the due clean-up in the shoot and records its completion. The shoot's API server may be down, so everything else
 * is written before, and the error says so.
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
      await withinSignal(signal, run(shoot.kubernetes, signal)).catch(error => {
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
