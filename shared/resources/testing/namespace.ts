import { createApiServer } from '../../../sandbox/kubernetes/kubernetes.ts'
import {
  interceptedKubernetes,
  isWriteRequest,
  requestText,
} from '../../../sandbox/stepped-seed/stepped-seed.ts'
import { virtualClock } from '../../clock/clock.ts'
import { resourceCrds } from '../../contract/crds/crd-of.ts'
import type { ManagedResource } from '../../contract/objects.ts'
import { managedResourceKind } from '../../contract/resource-kinds.ts'
import { namespaces } from '../../kubernetes/core-resources.ts'
import { createKubernetes, type Kubernetes, type KubernetesObject } from '../../kubernetes/kubernetes.ts'
import type { StepKubernetes } from '../../lifecycle/lifecycle.ts'
import { secrets } from '../../lifecycle/lifecycle.ts'
import type { DesiredManagedResource } from '../resources.ts'

export const namespace = 'shoot--foo--bar'

/** A seed or another API server with the namespace of a shoot. */
export interface Namespace {
  /** Records every request and crashes on request. */
  readonly kubernetes: StepKubernetes
  readonly requests: string[]
  /** The process crashes before or after its n-th write from now. */
  dieAt(write: number, when: 'before' | 'after'): void
  /** Runs once before the next request with that verb. */
  before(verb: string, work: () => Promise<unknown>): void
  managedResource(name?: string): Promise<ManagedResource | undefined>
  secretNames(): Promise<readonly string[]>
  secret(name: string): Promise<KubernetesObject | undefined>
  makeSecret(name: string, fields: object): Promise<KubernetesObject>
  /** Writes the status like a resource manager. */
  writeStatus(status: object, name?: string): Promise<void>
  readonly admin: Kubernetes
}

export class ProcessDied extends Error {
  override readonly name = 'ProcessDied'
}

export const namespaceOn = async (admin: Kubernetes): Promise<Namespace> => {
  await admin.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  const requests: string[] = []
  const hooks: { readonly verb: string; readonly work: () => Promise<unknown> }[] = []
  let death: { left: number; readonly when: 'before' | 'after' } | undefined

  const kubernetes = interceptedKubernetes(admin, async (request, send) => {
    const hook = hooks.findIndex(one => one.verb === request.verb)
    if (hook !== -1) await hooks.splice(hook, 1)[0]?.work()
    const isWrite = isWriteRequest(request)
    if (isWrite && death !== undefined) death.left -= 1
    const isLast = isWrite && death?.left === 0
    if (isLast && death?.when === 'before') throw new ProcessDied()
    requests.push(requestText(request))
    const answer = await send()
    if (isLast) throw new ProcessDied()
    return answer
  })
  const { resource } = managedResourceKind
  return {
    kubernetes,
    requests,
    dieAt: (write, when) => {
      death = { left: write, when }
    },
    before: (verb, work) => void hooks.push({ verb, work }),
    managedResource: async (name = 'one') =>
      (await admin.get(resource, { name, namespace })) as ManagedResource | undefined,
    secretNames: async () => (await admin.list(secrets, { namespace })).items.map(one => one.metadata.name),
    secret: name => admin.get(secrets, { name, namespace }),
    makeSecret: (name, fields) =>
      admin.create(secrets, {
        apiVersion: 'v1',
        kind: 'Secret',
        ...fields,
        metadata: { ...Object(fields).metadata, name, namespace },
      }),
    writeStatus: async (status, name = 'one') => {
      await admin.patch(resource, { name, namespace }, { status }, { subresource: 'status' })
    },
    admin,
  }
}

export const newNamespace = async (): Promise<Namespace> => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const { transport } = createApiServer({ clock, objects: resourceCrds() })
  return namespaceOn(createKubernetes({ transport, clock }))
}

export const configMap = (name: string, data: Readonly<Record<string, string>> = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'kube-system' },
  data,
})

export const desiredOf = (fields: Partial<DesiredManagedResource> = {}): DesiredManagedResource => ({
  name: 'one',
  namespace,
  key: 'chart',
  objects: [configMap('first', { a: '1' }), configMap('second')],
  ...fields,
})

const condition = (type: string, status: string, reason: string, message: string) => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: '2026-11-21T00:00:00Z',
  lastUpdateTime: '2026-11-21T00:00:00Z',
})

/** Returns the status of a ManagedResource with only healthy objects, except the given conditions. */
export const statusOf = (
  observedGeneration: number,
  others: Readonly<Record<string, readonly [status: string, reason: string, message: string]>> = {},
) => ({
  observedGeneration,
  conditions: Object.entries({
    ResourcesApplied: ['True', 'ApplySucceeded', 'All resources are applied.'],
    ResourcesHealthy: ['True', 'ResourcesHealthy', 'All resources are healthy.'],
    ResourcesProgressing: ['False', 'ResourcesRolledOut', 'All resources have been fully rolled out.'],
    ...others,
  } as const).map(([type, [status, reason, message]]) => condition(type, status, reason, message)),
})
