import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { readObjects } from '../../cli/plan/read-objects.ts'
import { findFunctions } from '../../functions/find-functions.ts'
import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { type Aws, awsEnvironment, createAws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { functionProcesses } from '../../sandbox/seed/seed.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { allCrds, machineCrds, resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import { clusterKind, type KindName, kinds } from '../../shared/contract/kinds.ts'
import { buildEvent, eventMessage } from '../../shared/events/events.ts'
import {
  createKubernetes,
  type Kubernetes,
  type KubernetesObject,
} from '../../shared/kubernetes/kubernetes.ts'
import { coverageEnvironment, type RanFiles, ranFiles } from './ran-files.ts'

const core = (plural: string, namespaced: boolean) => ({ group: '', version: 'v1', plural, namespaced })
const resources = {
  ...Object.fromEntries(Object.entries(kinds).map(([kind, { resource }]) => [kind, resource])),
  Namespace: core('namespaces', false),
  Secret: core('secrets', true),
  Cluster: clusterKind.resource,
}

export interface FunctionWorld {
  readonly aws: Aws
  readonly kubernetes: Kubernetes
  readonly create: (object: KubernetesObject) => Promise<KubernetesObject>
  /** Sends the event that the bridge sends for an object of this function with the annotation `reconcile`. */
  readonly send: (object: KubernetesObject) => Promise<void>
}

/**
 * Starts a function from its sources in a separate process, with an API server and an AWS in memory. Returns the
 * functions that ran for each event that `act` sent, in order.
 */
export const filesOfEvents = async (
  name: string,
  act: (world: FunctionWorld) => Promise<unknown>,
): Promise<readonly RanFiles[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-paths-'))
  const server = createApiServer({
    clock: systemClock,
    objects: [...allCrds(), ...machineCrds(), ...resourceCrds()],
  })
  const aws = createAws()
  const [api, cloud] = await Promise.all([server.listen(), aws.listen()])
  try {
    const kubeconfig = join(folder, 'kubeconfig')
    await writeFile(kubeconfig, server.kubeconfig(api.url), { mode: 0o600 })
    const fn = (await findFunctions()).find(found => found.name === name)
    if (fn === undefined) throw new Error(`there is no function ${name}`)
    const running = await functionProcesses({
      kubeconfig,
      env: { ...awsEnvironment(cloud.url), ...coverageEnvironment(folder) },
    })(fn)
    const kubernetes = createKubernetes({ transport: server.transport, clock: systemClock })
    const create = (object: KubernetesObject) => {
      const resource = resources[object.kind as keyof typeof resources]
      if (resource === undefined) throw new Error(`cannot create a ${object.kind}`)
      return kubernetes.create(resource, object)
    }
    const send = async (object: KubernetesObject) => {
      const { headers, body } = eventMessage(
        buildEvent({
          object,
          kind: object.kind as KindName,
          operation: 'reconcile',
          cause: 'annotation',
          reason: 'annotation',
          attempt: 0,
          source: '/seeds/paths',
          now: systemClock.now(),
        }),
      )
      const { status } = await fetch(running.url, { method: 'POST', headers, body: new Uint8Array(body) })
      if (status !== 204) throw new Error(`the function answered ${status}`)
    }
    try {
      await act({ aws, kubernetes, create, send })
    } finally {
      await running.close()
    }
    return await ranFiles(folder)
  } finally {
    await Promise.all([api.close(), cloud.close()])
    server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the objects of a file in `examples/`, in their stored form. */
export const exampleObjects = async (file: string): Promise<readonly KubernetesObject[]> => {
  const text = await readFile(new URL(`../../examples/${file}`, import.meta.url), 'utf8')
  return readObjects('-', Readable.from([text]))
}
