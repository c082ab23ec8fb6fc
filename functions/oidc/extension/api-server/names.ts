/** Of the authenticator and nearly all that is its own, in the seed and in the shoot. */
export const authenticatorName = 'oidc-webhook-authenticator'

/** The CA of its certificate. */
export const authorityName = 'ca-extension-shoot-oidc-service'

/** The Secret with the kubeconfig by which the API server asks the authenticator. */
export const kubeconfigSecretName = `${authenticatorName}-kubeconfig`

/** Where the API server finds that kubeconfig, and the certificates that it trusts. */
export const authenticatorFolder = '/var/run/secrets/oidc-webhook/authenticator'
export const tokenValidatorFolder = '/var/run/secrets/oidc-webhook/token-validator'

/** The Deployments whose tokens are checked, by the class of the Extension. */
export const apiServers = { shoot: 'kube-apiserver', garden: 'virtual-garden-kube-apiserver' } as const

/** Whose the generated Secrets are, by the class of the Extension. */
export const identities = {
  shoot: 'extension-shoot-oidc-service',
  garden: 'extension-shoot-oidc-service-runtime',
} as const
