import {
  changeContainer,
  changePod,
  ensureItem,
  type PodTemplate,
  setFlag,
} from '../../../../build/library/webhooks.ts'
import { authenticatorFolder, kubeconfigSecretName, tokenValidatorFolder } from './names.ts'

const configFlag = '--authentication-token-webhook-config-file'
const cacheFlag = '--authentication-token-webhook-cache-ttl'
const kubeconfigVolume = 'oidc-webhook-authenticator-kubeconfig'
const validatorVolume = 'token-validator-secret'
const containerName = 'kube-apiserver'

/**
 * Returns the pod template of an API server that validates unknown tokens with the authenticator. Idempotent
 * (docs/contract/small-kinds.md#the-api-server).
 *
 * @param bundle the Secret with the CA certificates of the authenticator
 */
export const withAuthenticator = (template: PodTemplate, bundle: string): PodTemplate =>
  changePod(template, pod => {
    if (!pod.containers?.some(({ name }) => name === containerName)) return pod
    const changed = changeContainer(pod, containerName, container => ({
      ...container,
      args: withFlags(argsOf(container)),
      volumeMounts: [
        ...ensureItem(
          ensureItem(container.volumeMounts, 'name', mount(kubeconfigVolume, authenticatorFolder)),
          'name',
          mount(validatorVolume, tokenValidatorFolder),
        ),
      ],
    }))
    const volumes = ensureItem(
      ensureItem(pod.volumes, 'name', {
        name: kubeconfigVolume,
        // The default mode of the seed's API server, so that a second change has no effect.
        secret: { secretName: kubeconfigSecretName, defaultMode: 0o644 },
      }),
      'name',
      validator(bundle),
    )
    return { ...changed, volumes: [...volumes] }
  })

const withFlags = (args: readonly string[]): readonly string[] =>
  // Tokens are not cached, so a revoked token is refused at once.
  setFlag(setFlag(args, configFlag, `${authenticatorFolder}/kubeconfig`), cacheFlag, '0')

const mount = (name: string, mountPath: string) => ({ name, readOnly: true, mountPath })

const validator = (bundle: string) => ({
  name: validatorVolume,
  projected: {
    defaultMode: 0o644,
    sources: [{ secret: { name: bundle, items: [{ key: 'bundle.crt', path: 'bundle.crt' }] } }],
  },
})

/**
 * Returns true if the pods of an API server already use the authenticator and trust this bundle. Ignores defaults that
 * the seed's API server adds. Without a bundle, any trusted certificates match.
 */
export const asksAuthenticator = (template: PodTemplate, bundle?: string): boolean => {
  const container = template.spec?.containers?.find(({ name }) => name === containerName)
  if (container === undefined) return false
  const mounted = new Set(container.volumeMounts?.map(({ name }) => name))
  const volumes = new Map(template.spec?.volumes?.map(volume => [volume.name, volume]))
  const args = argsOf(container)
  const sources: unknown = Object(Object(volumes.get(validatorVolume)).projected).sources
  const bundles = (Array.isArray(sources) ? sources : []).map(source => Object(Object(source).secret).name)
  return (
    withFlags(args).every((item, index) => item === args[index]) &&
    [kubeconfigVolume, validatorVolume].every(name => mounted.has(name)) &&
    Object(Object(volumes.get(kubeconfigVolume)).secret).secretName === kubeconfigSecretName &&
    bundles.length === 1 &&
    (bundle === undefined || bundles[0] === bundle)
  )
}

/** A container has more fields than the webhook schema reads. */
const argsOf = (container: object): readonly string[] => {
  const args: unknown = Reflect.get(container, 'args')
  return Array.isArray(args) ? args.map(String) : []
}
