import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createAws } from '../sandbox/aws/aws.ts'
import { createApiServer } from '../sandbox/kubernetes/kubernetes.ts'
import { systemClock } from '../shared/clock/clock.ts'
import { allCrds } from '../shared/contract/crds/crd-of.ts'
import { type KindName, kinds } from '../shared/contract/kinds.ts'
import type { HttpMessage } from '../shared/events/events.ts'
import { buildEvent, eventMessage } from '../shared/events/events.ts'
import type { KubernetesObject } from '../shared/kubernetes/kubernetes.ts'
import { createKubernetes } from '../shared/kubernetes/kubernetes.ts'
import { firstAnswerMs } from './process-start.ts'
import { startTlsFront } from './tls-front.ts'

const programs = fileURLToPath(new URL('programs', import.meta.url))

/** The API server and AWS, in this process, and what a pod's process is told of them. */
export const startWorld = async (objects: readonly KubernetesObject[]) => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  const clock = systemClock
  const server = createApiServer({ clock, objects: [...allCrds(), ...objects] })
  const aws = createAws({ clock })
  const [kubernetesListener, awsListener] = await Promise.all([server.listen(), aws.listen()])
  const front = await startTlsFront(kubernetesListener.port)
  await writeFile(join(folder, 'token'), 'bench')
  await writeFile(join(folder, 'ca.crt'), front.ca)
  const kubernetes = createKubernetes({ transport: server.transport, clock })

  const processEnv = {
    BENCH_SERVICE_ACCOUNT: folder,
    KUBERNETES_SERVICE_HOST: '127.0.0.1',
    KUBERNETES_SERVICE_PORT: String(front.port),
    AWS_ENDPOINT_URL: awsListener.url,
    TRELLIS_PORT: '0',
    TRELLIS_HOST: '127.0.0.1',
  }

  return {
    folder,
    account: aws.account(),
    /** Creates an object, and gives the event that the bridge sends for it. */
    create: async (kind: KindName, given: KubernetesObject) => {
      const { resource } = kinds[kind]
      const object = await kubernetes.create(resource, given)
      return {
        message: httpMessageOf(kind, object),
        /** An answer 204 says no more than that the outcome was written down. */
        checkSucceeded: async (): Promise<void> => {
          const { name, namespace } = object.metadata
          const after = await kubernetes.get(
            resource,
            namespace === undefined ? { name } : { name, namespace },
          )
          const { lastOperation } = (after?.status ?? {}) as {
            readonly lastOperation?: { readonly state?: string }
          }
          if (lastOperation?.state !== 'Succeeded') throw new Error(`${name} is ${lastOperation?.state}`)
        },
      }
    },
    /** Starts the process of a bundle, and returns the time from there to its answer to the message, in ms. */
    startFunction: (bundle: string, message: HttpMessage, env: Readonly<Record<string, string>>) =>
      firstAnswerMs({
        args: ['--require', join(programs, 'service-account.cjs'), bundle],
        env: { ...processEnv, ...env },
        message,
      }),
    close: async () => {
      await front.close()
      await kubernetesListener.close()
      await awsListener.close()
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const httpMessageOf = (kind: KindName, object: KubernetesObject): HttpMessage =>
  eventMessage(
    buildEvent({
      object,
      kind,
      operation: 'reconcile',
      cause: 'annotation',
      reason: 'annotation',
      attempt: 0,
      source: '/seeds/bench',
      now: systemClock.now(),
    }),
  )
