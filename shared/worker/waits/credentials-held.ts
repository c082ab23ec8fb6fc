import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { over, type WaitState } from './wait-state.ts'

const finalizers = [
  'machine.sapcloud.io/machine-controller-manager',
  'machine.sapcloud.io/machine-controller',
]

/** The machine controller holds the Secret with the credentials while it needs them. */
const isHeld = ({ metadata }: KubernetesObject): boolean =>
  (metadata.finalizers ?? []).some(finalizer => finalizers.includes(finalizer))

/** Checks whether the machine controller has acquired or released the Secret `name`. */
export const credentialsHeld = (
  state: 'acquired' | 'released',
  secret: KubernetesObject | undefined,
  name: string,
): WaitState => {
  if (secret === undefined) {
    const text = `could not get the secret referenced by worker: secrets "${name}" not found`
    return { kind: 'failed', error: new Error(text) }
  }
  if (isHeld(secret) === (state === 'acquired')) return over
  return {
    kind: 'waiting',
    message: 'machine class credentials secret has not yet been acquired or released',
    share: 0,
  }
}
