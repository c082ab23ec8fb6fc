import { findImage, type ImageSource } from '../../../build/library/components.ts'
import {
  appliedWait,
  type CompareManifests,
  ensureManagedResources,
  healthyWait,
  longestDeletionMs,
  type ResourceWait,
  readManagedResource,
  waitForResources,
} from '../../../build/library/resources.ts'
import {
  type AuthorityConfig,
  type CertificateConfig,
  type CreateKeyPair,
  createSecretsManager,
  dnsNamesOfService,
  type GeneratedSecrets,
  lostAuthorityType,
  reportLost,
} from '../../../build/library/secrets.ts'
import { ensureAccessSecrets } from '../../../build/library/shoot.ts'
import {
  deployments,
  type Extension,
  type KubernetesObject,
  type ManagedResource,
  type StepContext,
  type StepResult,
} from '../../../build/library/trellis.ts'
import { apiServers, authenticatorName, authorityName, identities } from './api-server/oidc.ts'
import { changeApiServer, isRolledOut } from './api-server.ts'
import { seedName, seedResource, shootName, shootResource } from './managed-resources.ts'
import { type ExtensionTarget, readTarget } from './target.ts'

export interface ExtensionOptions {
  /** `imageTable` with the overrides of an operator. */
  readonly images: readonly ImageSource[]
  readonly createKeyPair: CreateKeyPair
  readonly compare: CompareManifests
}

type ExtensionStep = StepContext<Extension>

/** Replicas of an authenticator that did not exist or was scaled down. */
const usualReplicas = 2
/** Timeout for the ManagedResource in the seed and its Deployment, in ms: the sum of both of Go's waits. */
const longestMs = 4 * 60_000

/**
 * Reconciles the Extension (docs/contract/small-kinds.md#extension). Callers get a new CA before it signs a served
 * certificate, and the API server calls the authenticator only after it runs. Unchanged objects are not written, so a
 * step after a wait repeats the same calls.
 */
export const reconcileExtension = async (
  { images, createKeyPair, compare }: ExtensionOptions,
  step: ExtensionStep,
): Promise<StepResult> => {
  const { object, kubernetes, clock, signal } = step
  const { namespace = '' } = object.metadata
  const target = await readTarget(step)
  const image = findImage(images, authenticatorName, target.kubernetesVersion || '1.0.0')
  const [replicas, observed] = await Promise.all([
    replicasOf(step, target),
    Promise.all([shootName, seedName].map(name => readManagedResource(kubernetes, { name, namespace }))),
  ])
  const manager = createSecretsManager({
    kubernetes,
    clock,
    signal,
    namespace,
    identity: identities[target.class],
    configs: secretConfigs(namespace),
    rotation: target.rotation,
    createKeyPair,
  })
  const ensure = (generated: GeneratedSecrets, present: readonly (ManagedResource | undefined)[]) =>
    ensureManagedResources(
      step,
      [
        shootResource({ namespace, caBundle: generated.bundle(authorityName).data['bundle.crt'] ?? '' }),
        seedResource({
          namespace,
          replicas,
          image,
          serverSecret: generated.current(serverSecretName).name,
          genericKubeconfig: target.genericKubeconfig,
          apiServer: apiServers[target.class],
          priorityClass: target.class === 'garden' ? 'gardener-garden-system-300' : 'gardener-system-300',
          prometheus: target.class,
        }),
      ],
      new Map(present.flatMap(one => (one === undefined ? [] : [[one.metadata.name, one]]))),
      compare,
    )
  const apiServer = { namespace, name: apiServers[target.class] }

  await ensureAccessSecrets(kubernetes, namespace, [authenticatorName])
  // A new certificate is served only after its callers trust its CA.
  let generated = await manager.generate({ isTrusted: () => false })
  const lost = reportLost(step, generated)
  let written = await ensure(generated, observed)
  if (written.kind === 'waiting') return written.result

  if (generated.awaitingTrust.length > 0 && !target.isSleeping) {
    const changed = await changeApiServer(kubernetes, apiServer, generated.bundle(authorityName).name)
    const waiting = awaitTrust(step, written.kept[0], changed)
    if (waiting !== undefined) return waiting
    generated = await manager.generate()
    written = await ensure(generated, written.kept)
    if (written.kind === 'waiting') return written.result
  }

  const waiting = await awaitAuthenticator(step, written.kept[1])
  if (waiting !== undefined) return waiting
  await changeApiServer(kubernetes, apiServer, generated.bundle(authorityName).name)
  if (lost.isReported) await generated.cleanUp()
  return { kind: 'done', conditions: { [lostAuthorityType]: lost.condition } }
}

/** Replicas that were set by others are retained. */
const replicasOf = async (
  { kubernetes, object }: ExtensionStep,
  { isSleeping }: ExtensionTarget,
): Promise<number> => {
  if (isSleeping) return 0
  const { namespace = '' } = object.metadata
  const present = await kubernetes.get(deployments, { namespace, name: authenticatorName })
  const replicas: unknown = Object(present?.spec).replicas
  return typeof replicas === 'number' && replicas > 0 ? replicas : usualReplicas
}

/** Returns undefined once the shoot's webhook configuration and the API server trust the new CA. */
const awaitTrust = (
  step: ExtensionStep,
  shoot: ManagedResource | undefined,
  apiServer: KubernetesObject | undefined,
): StepResult | undefined => {
  const { namespace = '' } = step.object.metadata
  return waitForResources(
    step,
    {
      name: 'new CA trusted',
      doing: 'could not wait for the new CA of the OIDC authenticator to be trusted',
      longestMs: longestDeletionMs,
      progress: 40,
    },
    [
      appliedWait({ namespace, name: shootName }, shoot),
      apiServer === undefined ? { kind: 'over' } : rolloutWait(apiServer),
    ],
  )
}

/**
 * Returns undefined once the authenticator runs as desired. Its ManagedResource stops progressing only after the
 * Deployment is rolled out, and its changes wake the step. The Deployment itself is not watched (docs/decisions/0060).
 */
const awaitAuthenticator = async (
  step: ExtensionStep,
  seed: ManagedResource | undefined,
): Promise<StepResult | undefined> => {
  const { namespace = '' } = step.object.metadata
  const key = { namespace, name: seedName }
  const isHealthy = healthyWait(key, seed).kind === 'over'
  const now = isHealthy ? seed : await readManagedResource(step.kubernetes, key)
  return waitForResources(
    step,
    {
      name: `${seedName} healthy`,
      doing: `could not wait for managed resource ${seedName} to be healthy`,
      longestMs,
      progress: 60,
    },
    [healthyWait(key, now)],
  )
}

const rolloutWait = (deployment: KubernetesObject): ResourceWait => {
  const { namespace, name } = deployment.metadata
  return isRolledOut(deployment)
    ? { kind: 'over' }
    : waitingFor(`deployment ${namespace}/${name} is not rolled out`)
}

const waitingFor = (message: string): ResourceWait => ({ kind: 'waiting', message, codes: [] })

/** The name of the config for the authenticator's certificate. */
const serverSecretName = `${authenticatorName}-tls`

/**
 * The CA and the certificate of the authenticator. The current CA signs the certificate: API servers trust both CAs
 * until the old one is deleted.
 */
const secretConfigs = (namespace: string): readonly (AuthorityConfig | CertificateConfig)[] => [
  // Only a rotation of the shoot replaces it, because the API server has to trust it first.
  { kind: 'ca', name: authorityName, commonName: authorityName, persist: true, autoRotate: false },
  {
    kind: 'server',
    name: serverSecretName,
    commonName: authenticatorName,
    dnsNames: dnsNamesOfService(authenticatorName, namespace),
    skipPublishingCaCertificate: true,
    signedBy: { ca: authorityName, use: 'current' },
  },
]
