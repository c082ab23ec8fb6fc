import {
  changeContainer,
  changePod,
  ensureItem,
  type PodTemplate,
  setFlag,
} from '../../../../shared/webhooks/components/webhooks.ts'
import { authenticatorFolder, kubeconfigSecretName, tokenValidatorFolder } from './names.ts'

const configFlag = '--authentication-token-webhook-config-file'
const cacheFlag = '--authentication-token-webhook-cache-ttl'
const kubeconfigVolume = 'oidc-webhook-authenticator-kubeconfig'
const validatorVolume = 'token-validator-secret'
const containerName = 'kube-apiserver'

/**
 * The pods of an API server that asks the authenticator of every token that it does not know itself. A second change changes
 * nothing (docs/contract/small-kinds.md#the-api-server).
 *
 * @param bundle the Secret with the certificates by which the authenticator is known
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
        // The mode is what the API server of the seed would add: so a second change changes nothing.
        secret: { secretName: kubeconfigSecretName, defaultMode: 0o644 },
      }),
      'name',
      validator(bundle),
    )
    return { ...changed, volumes: [...volumes] }
  })

const withFlags = (args: readonly string[]): readonly string[] =>
  // Tokens are checked each time: one that is revoked is refused at once.
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
 * Whether the pods of an API server ask the authenticator already, and trust what is in this bundle. What the API server of the
 * seed adds as defaults does not count. Absent: whatever they trust.
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

/** A container has more than the schema of webhooks reads. */
const argsOf = (container: object): readonly string[] => {
  const args: unknown = Reflect.get(container, 'args')
  return Array.isArray(args) ? args.map(String) : []
}
