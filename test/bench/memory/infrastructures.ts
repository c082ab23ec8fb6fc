import { clusterOf, infrastructureOf } from '../../../functions/aws/infrastructure/testing/objects.ts'
import { labels } from '../../../shared/contract/constants.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { askedAt } from '../shoot.ts'
import type { StartedKind } from '../start-world.ts'

/** The number of objects in a burst. */
const most = 400
const namespaceOf = (index: number) => `shoot--bench--network-${index}`
const accessKeyId = (index: number) => `AKIAINFRA${String(index).padStart(11, '0')}`
const secretAccessKey = 'made-up-for-the-benchmark'

const shootOf = (index: number): readonly KubernetesObject[] => {
  const namespace = namespaceOf(index)
  return [
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace, labels: { [labels.role]: 'shoot' } },
    },
    { ...clusterOf(), metadata: { name: namespace } } as KubernetesObject,
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'cloudprovider', namespace },
      data: { accessKeyID: btoa(accessKeyId(index)), secretAccessKey: btoa(secretAccessKey) },
    },
  ]
}

/** Networks of shoots, each in a separate AWS account. */
export const infrastructures: StartedKind = {
  kind: 'Infrastructure',
  bundle: 'dist/bundles/aws-infrastructure/main.cjs',
  objects: Array.from({ length: most }, (_, index) => shootOf(index)).flat(),
  prepare: aws => {
    for (let index = 0; index < most; index++) {
      const account = aws.account(String(200_000_000_000 + index))
      account.register({ accessKeyId: accessKeyId(index), secretAccessKey })
    }
  },
  objectNumber: index => {
    const { metadata, spec, ...rest } = infrastructureOf()
    const namespace = namespaceOf(index)
    const { uid: _, ...named } = metadata
    return {
      ...rest,
      metadata: { ...named, namespace, annotations: askedAt(index) },
      spec: { ...spec, secretRef: { name: 'cloudprovider', namespace } },
    } as KubernetesObject
  },
}
