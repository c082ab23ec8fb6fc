import type { ImageSource } from '../../../build/library/components.ts'
import { authenticatorName } from './api-server/oidc.ts'

/** The image of the authenticator. The same for all versions of Kubernetes. */
export const imageTable = [
  {
    name: authenticatorName,
    repository: 'europe-docker.pkg.dev/gardener-project/releases/gardener/oidc-webhook-authenticator',
    tag: 'v0.44.0',
  },
] as const satisfies readonly ImageSource[]
