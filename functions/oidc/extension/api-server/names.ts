/** The name of the authenticator and of almost all its objects, in the seed and in the shoot. */
export const authenticatorName = 'oidc-webhook-authenticator'

export const authorityName = 'ca-extension-shoot-oidc-service'

/** The Secret with the kubeconfig that the API server uses for the authenticator. */
export const kubeconfigSecretName = `${authenticatorName}-kubeconfig`

/** The folders of that kubeconfig, and of the trusted certificates, in the API server's container. */
export const authenticatorFolder = '/var/run/secrets/oidc-webhook/authenticator'
export const tokenValidatorFolder = '/var/run/secrets/oidc-webhook/token-validator'

/** The Deployments that validate tokens, by the class of the Extension. */
export const apiServers = { shoot: 'kube-apiserver', garden: 'virtual-garden-kube-apiserver' } as const

/** The owners of the generated Secrets, by the class of the Extension. */
export const identities = {
  shoot: 'extension-shoot-oidc-service',
  garden: 'extension-shoot-oidc-service-runtime',
} as const
