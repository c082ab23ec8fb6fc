import { findFunctions } from '../../functions/find-functions.ts'
import { createAws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { annotations } from '../../shared/contract/constants.ts'
import type { ControlPlane } from '../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { dueWork, secrets } from '../../shared/lifecycle/lifecycle.ts'
import { exampleObjects, namespaces, startRunningSeed } from '../running-seed.ts'

const keyIn = (namespace: string) => ({ name: 'control-plane', namespace })

/** Starts a seed with the ControlPlane function and a resource manager. Each ControlPlane has its own namespace. */
export const startControlPlaneSeed = async () => {
  const attempts = new Map<string, number>()
  const requests: string[] = []
  const running = await startRunningSeed({
    functions: (await findFunctions()).filter(({ kind }) => kind === 'ControlPlane'),
    kinds: ['ControlPlane'],
    aws: createAws(),
    observe: event => {
      if (event.part === 'step') {
        const { namespace = '' } = event.event
        attempts.set(namespace, (attempts.get(namespace) ?? 0) + 1)
      }
      if (event.part === 'request') requests.push(`${event.request.method} ${event.request.path}`)
    },
  })
  const { seed } = running
  const until = <T>(find: () => T | undefined): Promise<T> => running.until('the ControlPlane', find)
  const live = (namespace: string) =>
    running.live('ControlPlane', 'control-plane', namespace) as ControlPlane | undefined
  /** True if its last operation has ended in any state, and started after this timestamp. */
  const ended = (namespace: string, timestamp: string) => {
    const object = live(namespace)
    if (object === undefined || object.metadata.annotations?.[annotations.timestamp] !== timestamp)
      return undefined
    const { state } = object.status?.lastOperation ?? {}
    const isDue = dueWork('ControlPlane', object, seed.clock.now()).kind !== 'none'
    return state === 'Error' || (state === 'Succeeded' && !isDue) ? object : undefined
  }
  let asked = 0
  const timestamp = () => new Date(seed.clock.now() + asked++).toISOString()

  return {
    seed,
    requests,
    steps: (namespace: string) => attempts.get(namespace) ?? 0,
    /** Creates a ControlPlane as gardenlet does. Resolves when its operation has ended. */
    create: async (
      namespace: string,
      annotate: Readonly<Record<string, string>> = {},
    ): Promise<ControlPlane> => {
      const at = timestamp()
      const added: Readonly<Record<string, object>> = {
        Namespace: annotate,
        ControlPlane: { [annotations.timestamp]: at },
      }
      const ids = new Map([['shoot--garden--control-plane', namespace]])
      const withAnnotations = (object: KubernetesObject): KubernetesObject => {
        const { metadata, kind } = object
        return {
          ...object,
          metadata: { ...metadata, annotations: { ...metadata.annotations, ...added[kind] } },
        }
      }
      const objects = await exampleObjects('controlplane/one-zone.yaml', ids)
      await running.create(...objects.map(withAnnotations))
      return until(() => ended(namespace, at))
    },
    ask: async (namespace: string, operation: string): Promise<ControlPlane> => {
      const at = timestamp()
      const annotate = { [annotations.operation]: operation, [annotations.timestamp]: at }
      await running.patch('ControlPlane', keyIn(namespace), { metadata: { annotations: annotate } })
      return until(() => ended(namespace, at))
    },
    remove: async (namespace: string): Promise<void> => {
      await running.remove('ControlPlane', keyIn(namespace))
      await until(() => (live(namespace) === undefined ? true : undefined))
    },
    secretNames: async (namespace: string): Promise<readonly string[]> =>
      (await seed.kubernetes.list(secrets, { namespace })).items.map(({ metadata }) => metadata.name).sort(),
    changeNamespace: (namespace: string, annotate: object) =>
      seed.kubernetes.patch(namespaces, { name: namespace }, { metadata: { annotations: annotate } }),
    changeShoot: running.changeShoot,
    live,
    until,
  }
}
export type ControlPlaneSeed = Awaited<ReturnType<typeof startControlPlaneSeed>>
