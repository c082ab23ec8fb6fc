import type * as z from 'zod'
import { imagesOfSettings } from '../../../../shared/images/images.ts'
import { defineWebhook } from '../../../../shared/webhooks/admission/define-webhook.ts'
import {
  changeTemplate,
  clusterPermission,
  clusterReader,
  controlPlaneReviewer,
  controlPlaneWebhook,
} from '../../../../shared/webhooks/components/webhooks.ts'
import { imageSettings, imageTable } from '../../controlplane/images/image-table.ts'
import { component, shootNamespaces } from '../registration.ts'
import { componentOf } from './components.ts'
import { nodeChanges } from './node-changes.ts'

const review = () => {
  const images = imagesOfSettings(imageTable)
  const readCluster = clusterReader()
  return controlPlaneReviewer<z.output<typeof imageSettings>>({
    component,
    deployment: async ({ name, namespace = '', object }, lookup, settings) => {
      const change = componentOf(name)
      if (change === undefined) return {}
      const cluster = () => readCluster(lookup, namespace)
      return {
        changed: changeTemplate(object, await change({ namespace, cluster, images: images(settings) })),
      }
    },
    nodes: async ({ namespace = '' }, lookup) => nodeChanges(await readCluster(lookup, namespace)),
  })
}

/** Changes Gardener's own control plane components and the nodes for OpenStack. */
export const definition = defineWebhook({
  ...controlPlaneWebhook,
  component,
  namespaceSelector: shootNamespaces,
  settings: imageSettings,
  permissions: [clusterPermission],
  review: review(),
})
