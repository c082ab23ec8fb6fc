import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApiServer } from '../../../sandbox/kubernetes/kubernetes.ts'
import { createAws } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { allCrds, machineCrds, resourceCrds } from '../../../shared/contract/crds/crd-of.ts'
import { type KindName, kinds } from '../../../shared/contract/kinds.ts'
import type { HttpMessage } from '../../../shared/events/events.ts'
import type { ObjectKey } from '../../../shared/kubernetes/kubernetes.ts'
import { createKubernetes } from '../../../shared/kubernetes/kubernetes.ts'
import { reconcileMessage } from '../../real/reconcile-message.ts'
import { startTlsFront } from '../../real/tls-front.ts'
import { freshSnapshot, startArgs } from '../bundle.ts'
import { podArguments } from '../pod-environment.ts'
import { type FirstAnswer, firstAnswer } from './process-start.ts'
import type { StartedKind } from './started-kinds.ts'

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Selects one of several functions of a process. */
  readonly path?: string
}

/** Starts the API server and AWS in this process, and returns the settings that a pod's process gets for them. */
export const startWorld = async ({ kind, bundle, objects, prepare, objectNumber }: StartedKind) => {
  await freshSnapshot(bundle)
  const folder = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  const clock = systemClock
  const server = createApiServer({
    clock,
    objects: [...allCrds(), ...machineCrds(), ...resourceCrds(), ...objects],
  })
  const aws = createAws({ clock, ec2: { durations: { scale: 0 } } })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  await prepare?.(aws, kubernetes)
  const [kubernetesListener, awsListener] = await Promise.all([server.listen(), aws.listen()])
  const front = await startTlsFront(kubernetesListener.port)
  await writeFile(join(folder, 'token'), 'bench')
  await writeFile(join(folder, 'ca.crt'), front.ca)
  const counts = new Map<KindName, number>()

  const functionEnv = {
    BENCH_SERVICE_ACCOUNT: folder,
    KUBERNETES_SERVICE_HOST: '127.0.0.1',
    KUBERNETES_SERVICE_PORT: String(front.port),
    AWS_ENDPOINT_URL: awsListener.url,
    TRELLIS_PORT: '0',
    TRELLIS_ADDRESS: '127.0.0.1',
  }

  /** The arguments and environment of node for the function's process, as in its image. */
  const functionStart = { args: [...podArguments, ...startArgs(bundle)], env: functionEnv }

  return {
    server,
    kubernetes,
    functionStart,
    /** Starts the function's process. Returns the time from the start to its answer to the message. */
    startFunction: (
      message: HttpMessage,
      { env = {}, path = '/' }: StartOptions = {},
    ): Promise<FirstAnswer> =>
      firstAnswer({ args: functionStart.args, env: { ...functionEnv, ...env }, message, path }),
    /** Creates an object, of the given kind if any, and returns the event that the bridge sends for it. */
    newObject: async (of: Pick<StartedKind, 'kind' | 'objectNumber'> = { kind, objectNumber }) => {
      const { resource } = kinds[of.kind]
      const index = counts.get(of.kind) ?? 0
      counts.set(of.kind, index + 1)
      const object = await kubernetes.create(resource, of.objectNumber(index))
      const { name, namespace } = object.metadata
      const key: ObjectKey = namespace === undefined ? { name } : { name, namespace }
      return {
        message: reconcileMessage(of.kind, object),
        /** A 204 only says that the outcome was written. */
        checkSucceeded: async (): Promise<void> => {
          const after = await kubernetes.get(resource, key)
          const { lastOperation } = (after?.status ?? {}) as {
            readonly lastOperation?: { readonly state?: string; readonly description?: string }
          }
          if (lastOperation?.state !== 'Succeeded')
            throw new Error(`${name} is ${lastOperation?.state}: ${lastOperation?.description}`)
        },
      }
    },
    close: async () => {
      await front.close()
      await kubernetesListener.close()
      await awsListener.close()
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
