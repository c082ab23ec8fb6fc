import { CodedError, type FunctionPermission, secrets } from '../../../build/library/trellis.ts'
import {
  changeTemplate,
  deploymentSchema,
  type Reviewer,
  reviewerOf,
} from '../../../build/library/webhooks.ts'
import {
  apiServers,
  identities,
  kubeconfigSecretName,
  newestBundle,
  withAuthenticator,
} from '../extension/api-server/oidc.ts'

/** The component of these webhooks. */
export const component = 'shoot-oidc-service'

export const secretsPermission: FunctionPermission = {
  resource: secrets,
  verbs: ['get', 'list'],
  why: 'Existence and certificates of the authenticator.',
}

/** The labels of API server Deployments. */
export const apiServerLabels = {
  matchLabels: { 'gardener.cloud/role': 'controlplane', app: 'kubernetes', role: 'apiserver' },
}

/**
 * Configures an API server to call the authenticator as soon as that exists
 * (docs/contract/small-kinds.md#the-api-server).
 */
export const apiServerReview = (extensionClass: keyof typeof apiServers): Reviewer =>
  reviewerOf(deploymentSchema, async ({ name, namespace = '', object }, lookup) => {
    if (name !== apiServers[extensionClass]) return {}
    const kubeconfig = await lookup.get(secrets, { namespace, name: kubeconfigSecretName })
    if (kubeconfig === undefined) return {}
    const bundle = await newestBundle(lookup, namespace, identities[extensionClass])
    // Without the CA of the authenticator, an API server would refuse all of its users. It is better left unchanged.
    if (bundle === undefined)
      throw new CodedError('CA bundle secret of the OIDC authenticator is not yet available', { codes: [] })
    return { changed: changeTemplate(object, template => withAuthenticator(template, bundle)) }
  })
