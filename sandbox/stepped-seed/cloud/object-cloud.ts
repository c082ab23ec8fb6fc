import type { GroupVersionResource, KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { TestCloud, TestThing } from './cloud-under-test.ts'

/** The objects that count as the cloud. */
export interface ObjectCloudOptions {
  /** The resources of the objects that the function creates. */
  readonly resources: readonly GroupVersionResource[]
  /** Objects of others, from the start. Default: none. */
  readonly others?: readonly KubernetesObject[]
  /** The annotation with the owner of an object. Default: objects have no owner. */
  readonly ownerAnnotation?: string
}

/**
 * Returns objects of the seed's API server as a cloud under test. Their names are `configmaps/record-rose`.
 *
 * @example
 * const configMaps = { group: '', version: 'v1', plural: 'configmaps', namespaced: true }
 * const cloud = () => objectCloud({ resources: [configMaps], ownerAnnotation: 'acme.example.com/owner' })
 * for (const { promise, hold } of functionPromises({ definition, example, cloud, made: ['configmaps/record-rose'] }))
 *   test(promise, hold)
 */
export const objectCloud = ({ resources, others = [], ownerAnnotation }: ObjectCloudOptions): TestCloud => ({
  objects: others,
  things: async kubernetes => {
    const lists = resources.map(async resource =>
      (await kubernetes.list(resource)).items.map(object => thingOf(resource, object, ownerAnnotation)),
    )
    return (await Promise.all(lists)).flat()
  },
  ...(ownerAnnotation !== undefined && {
    add: async ({ name, owner, content }, kubernetes) => {
      const [plural = '', ofObject = ''] = name.split('/')
      const resource = resources.find(one => one.plural === plural)
      if (resource === undefined) throw new Error(`${name}: the cloud has no resource ${plural}`)
      const { namespace, ...fields } = content as ObjectContent
      const metadata = { name: ofObject, ...(namespace !== undefined && { namespace }) }
      const annotations = owner === undefined ? {} : { [ownerAnnotation]: owner }
      await kubernetes.create(resource, { ...fields, metadata: { ...metadata, annotations } })
    },
  }),
})

/** The fields of an object, with its namespace in place of its metadata and without its status. */
interface ObjectContent extends Pick<KubernetesObject, 'apiVersion' | 'kind'> {
  readonly namespace?: string
}

const thingOf = (
  { plural }: GroupVersionResource,
  { metadata, status: _, ...fields }: KubernetesObject,
  ownerAnnotation: string | undefined,
): TestThing => {
  const { name, namespace, annotations = {} } = metadata
  const owner = ownerAnnotation === undefined ? undefined : annotations[ownerAnnotation]
  const content = { ...fields, ...(namespace !== undefined && { namespace }) }
  return { name: `${plural}/${name}`, ...(owner !== undefined && { owner }), content }
}
