import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { FunctionDefinition } from '../../shared/runtime/runtime.ts'
import { functionSeed, secrets } from './function-seed.ts'

export const technicalId = 'shoot--foo--bar'
export const entryName = `${technicalId}--5a3b8c1e-0000-4000-8000-000000000001`

export const bucketOf = (metadata: object = {}, fields: object = {}): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'BackupBucket',
  metadata: { name: 'backups', annotations: { 'gardener.cloud/operation': 'reconcile' }, ...metadata },
  spec: { type: 'local', region: 'local', secretRef: { name: 'credentials', namespace: 'garden' } },
  ...fields,
})

export const entryOf = (name = entryName, spec: object = {}): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'BackupEntry',
  metadata: { name, annotations: { 'gardener.cloud/operation': 'reconcile' } },
  spec: {
    type: 'local',
    region: 'local',
    bucketName: 'backups',
    secretRef: { name: 'credentials', namespace: 'garden' },
    ...spec,
  },
})

export const secretOf = (name: string, namespace: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace },
  type: 'Opaque',
})

const namespaceOf = (name: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name },
})

/** A seed with a bucket or an entry, its Secret, and the namespace of the shoot. */
export const backupSeed = async (
  definition: FunctionDefinition,
  object: KubernetesObject,
  settings: Readonly<Record<string, unknown>> = {},
  objects: readonly KubernetesObject[] = [
    secretOf('credentials', 'garden'),
    namespaceOf('garden'),
    namespaceOf(technicalId),
  ],
) => {
  const seed = await functionSeed({ definition, object, objects, settings })
  return {
    ...seed,
    status: async () => Object((await seed.live())?.status),
    secret: (name: string, namespace: string) => seed.kubernetes.get(secrets, { name, namespace }),
  }
}
