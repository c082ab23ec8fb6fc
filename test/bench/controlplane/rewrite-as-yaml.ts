import { stringify } from 'yaml'
import { managedResourceKind } from '../../../shared/contract/resource-kinds.ts'
import { secrets } from '../../../shared/kubernetes/core-resources.ts'
import type { Kubernetes } from '../../../shared/kubernetes/kubernetes.ts'
import {
  listManagedResources,
  readManifests,
  referenceTo,
  secretNameOf,
} from '../../../shared/resources/resources.ts'

/** Rewrites the ManagedResources of a namespace as the Go extension writes them: the same objects, as YAML. */
export const rewriteAsYaml = async (
  kubernetes: Kubernetes,
  namespace: string,
  secretPrefix?: 'managedresource-',
): Promise<void> => {
  for (const { metadata, spec } of (await listManagedResources(kubernetes, namespace)).values()) {
    const { name } = metadata
    const own = spec?.secretRefs[0]?.name ?? ''
    const secret = await kubernetes.get(secrets, { namespace, name: own })
    const documents = await readManifests(secret?.data)
    const text = Buffer.from(documents.map(document => `---\n${stringify(document)}`).join(''))
    const [key = ''] = Object.keys(Object(secret?.data))
    const secretName = secretNameOf({ name, ...(secretPrefix && { secretPrefix }) }, { [key]: text })
    await kubernetes.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: secretName,
        namespace,
        labels: { 'resources.gardener.cloud/garbage-collectable-reference': 'true' },
      },
      type: 'Opaque',
      immutable: true,
      data: { [key]: text.toString('base64') },
    })
    const gone = Object.fromEntries(Object.keys(referenceTo(own)).map(annotation => [annotation, null]))
    await kubernetes.patch(
      managedResourceKind.resource,
      { namespace, name },
      {
        metadata: { annotations: { ...gone, ...referenceTo(secretName) } },
        spec: { secretRefs: [{ name: secretName }] },
      },
    )
  }
}
