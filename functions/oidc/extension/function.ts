import { imageSettingsFor, openImages } from '../../../build/library/components.ts'
import {
  rememberingComparison,
  resourcePermissions,
  resourceTexts,
} from '../../../build/library/resources.ts'
import { keyPairQueue } from '../../../build/library/secrets.ts'
import { defineFunction, deployments } from '../../../build/library/trellis.ts'
import { extensionHealth } from './health.ts'
import { imageTable } from './images.ts'
import { seedName, shootName } from './managed-resources.ts'
import { reconcileExtension } from './reconcile.ts'
import { removeExtension } from './remove.ts'
import { gardens } from './target.ts'

const extensionSettings = imageSettingsFor(imageTable)

/** Extensions of type `shoot-oidc-service`: OpenID Connect tokens for the API server of a shoot or a garden. */
export const definition = defineFunction({
  name: 'oidc-extension',
  kind: 'Extension',
  type: 'shoot-oidc-service',
  classes: ['shoot', 'garden'],
  finalizerSuffix: 'shoot-oidc-service',
  registration: { workerlessSupported: true },
  settings: extensionSettings,
  permissions: [
    ...resourcePermissions,
    {
      resource: deployments,
      verbs: ['get', 'patch'],
      why: 'Readiness of the authenticator. An empty patch makes the webhook change the API server.',
    },
    {
      resource: gardens,
      verbs: ['list'],
      why: "Progress of the garden's rotation, and the kubeconfig of the garden.",
    },
  ],
  health: extensionHealth,
  service: {
    maxScale: { value: 2, why: 'Steps only call the API server: more processes would share its limits.' },
    concurrency: {
      value: 20,
      why: 'A new Extension needs two RSA keys, which threads of the process generate.',
    },
  },
  create: ({ imagevectorOverwrite }) => {
    const options = {
      images: openImages(imageTable, imagevectorOverwrite),
      createKeyPair: keyPairQueue(),
      compare: rememberingComparison(),
    }
    return {
      reconcile: step => reconcileExtension(options, step),
      remove: step => removeExtension(step, 'delete'),
      forceRemove: step => removeExtension(step, 'force'),
      orphans: ({ object: { metadata } }) => resourceTexts(metadata.namespace ?? '', [seedName, shootName]),
      migrate: step => removeExtension(step, 'migrate'),
    }
  },
})
