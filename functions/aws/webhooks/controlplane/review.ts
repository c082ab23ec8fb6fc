import type { Reviewer } from '../../../../shared/webhooks/admission/admission.ts'
import {
  autoscalerSchema,
  changeNodes,
  changeTemplate,
  clusterReader,
  deploymentSchema,
  nodeConfigSchema,
  reviewerOf,
  withSidecarPolicy,
} from '../../../../shared/webhooks/components/webhooks.ts'
import { type ImageSource, openImages } from '../../controlplane/images/images.ts'
import { component } from '../registration.ts'
import { componentOf } from './components.ts'
import { nodeChanges } from './node-changes.ts'

interface ImageSettings {
  readonly imagevectorOverwrite: string
}

/** Responds by kind and name. Objects with another name do not change (docs/contract/webhooks.md#controlplane). */
export const controlPlaneReview = (): Reviewer<ImageSettings> => {
  const images = imagesOfSettings()
  const readCluster = clusterReader()

  const ofDeployment = reviewerOf<typeof deploymentSchema, ImageSettings>(
    deploymentSchema,
    async ({ name, namespace = '', object }, lookup, settings) => {
      const change = componentOf(name)
      if (change === undefined) return {}
      const cluster = await readCluster(lookup, namespace)
      const changed = await change({ cluster, namespace, lookup, images: images(settings) })
      return { changed: changeTemplate(object, changed) }
    },
  )

  const ofAutoscaler = reviewerOf<typeof autoscalerSchema, ImageSettings>(
    autoscalerSchema,
    ({ name, object }) =>
      name === 'machine-controller-manager-vpa' ? { changed: withSidecarPolicy(object, component) } : {},
  )

  const ofNodes = reviewerOf<typeof nodeConfigSchema, ImageSettings>(
    nodeConfigSchema,
    async ({ namespace = '', object }, lookup, settings) => {
      if (object.spec.purpose !== 'reconcile') return {}
      const cluster = await readCluster(lookup, namespace)
      const changes = nodeChanges(cluster, object.metadata.labels, images(settings))
      return { changed: changeNodes(object, changes) }
    },
  )

  return (request, lookup, settings) => {
    switch (request.object.kind) {
      case 'Deployment':
        return ofDeployment(request, lookup, settings)
      case 'VerticalPodAutoscaler':
        return ofAutoscaler(request, lookup, settings)
      default:
        return ofNodes(request, lookup, settings)
    }
  }
}

/** Reads an operator's file once per settings object, and caches it as long as that object exists. */
const imagesOfSettings = (): ((settings: ImageSettings) => readonly ImageSource[]) => {
  const opened = new WeakMap<ImageSettings, readonly ImageSource[]>()
  return settings => {
    const images = opened.get(settings) ?? openImages(settings.imagevectorOverwrite)
    opened.set(settings, images)
    return images
  }
}
