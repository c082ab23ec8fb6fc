import type { Clock } from '../../../clock/clock.ts'
import type { ManagedResource } from '../../../contract/objects.ts'
import { parseManagedResource } from '../../../contract/parse.ts'
import { managedResourceKind } from '../../../contract/resource-kinds.ts'
import {
  resourceNames,
  type ShootWebhooks,
  shootWebhooksResource,
} from '../../../control-plane/control-plane.ts'
import { namespaces } from '../../../kubernetes/core-resources.ts'
import type { Kubernetes } from '../../../kubernetes/kubernetes.ts'
import { listAll } from '../../../kubernetes/list-all.ts'
import type { Log } from '../../../log/log.ts'
import { appliedWait, ensureManagedResource } from '../../../resources/resources.ts'
import { messageOf } from '../../../text/message-of.ts'
import {
  registrations,
  shootRegistrations,
  type WebhookConfiguration,
  type WebhookDefinition,
} from '../../admission/admission.ts'
import type { ComponentCertificates } from '../certificates/component-certificates.ts'
import { bundleToTrust, createTrust, type TrustTimes } from '../certificates/trust.ts'
import type { ClusterPaths } from './cluster-paths.ts'
import { bundlesOf, ensureConfiguration, readConfiguration } from './ensure-configuration.ts'
import { handOver } from './hand-over.ts'

export interface RegisterOptions {
  readonly component: string
  /** The definitions of this component. */
  readonly definitions: readonly WebhookDefinition[]
  readonly certificates: ComponentCertificates
  readonly paths: Pick<ClusterPaths, 'components' | 'refresh' | 'keyFor'>
  /** The cluster of the process: Secrets, ConfigMaps, ManagedResources. */
  readonly kubernetes: Kubernetes
  /** The cluster whose API servers send reviews. For the seed, it is the same. */
  readonly target: Kubernetes
  readonly namespace: string
  /** `https://host:port` instead of the Service. */
  readonly url?: string
  /** The owner namespace in the target. Default: the one with the name `namespace`. */
  readonly ownerNamespace?: string
  /** Returns the uid of that Namespace in the target. Undefined if the configurations have no owner. */
  readonly ownerUid: () => Promise<string | undefined>
  readonly times: TrustTimes
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

/**
 * Ensures certificates, configurations and the configuration of shoots. The leader calls it repeatedly. After an
 * interruption, the next call continues, in this process or another one.
 *
 * A new CA is introduced in this order, so that an API server never gets a certificate that it does not trust:
 * 1. The CA is created. The current certificate remains in use.
 * 2. The configurations trust both CAs, here and in the shoots.
 * 3. When that has been seen there for a while, the new certificate is created, and every replica loads it.
 * 4. When the old CA is dropped, and no replica can present its certificate any more, the configurations trust only the
 * new CA (docs/decisions/0049-one-process-for-webhooks.md).
 */
export const createRegistration = (options: RegisterOptions): (() => Promise<void>) => {
  const { component, definitions, certificates, paths, kubernetes, target, namespace, times, clock, log } =
    options
  const trust = createTrust(clock, times)
  const provider = component.replace(/^provider-/, '')
  /** The number of shoots that have not applied the last written bundle yet. */
  let unapplied = Number.POSITIVE_INFINITY

  const rendered = async (caBundle: string, pathKey?: Uint8Array) => {
    const ownerUid = await options.ownerUid()
    const rendering = {
      namespace,
      caBundleOf: () => caBundle,
      ...(options.url !== undefined && { url: options.url }),
      ...(options.ownerNamespace !== undefined && { ownerNamespace: options.ownerNamespace }),
    }
    return {
      own: registrations(definitions, {
        ...rendering,
        ...(ownerUid !== undefined && { ownerUid }),
        ...(pathKey !== undefined && { pathKeyOf: () => pathKey }),
      }),
      shoot: shootRegistrations(definitions, rendering)[0],
    }
  }

  const writeShoots = async (configuration: WebhookConfiguration): Promise<void> => {
    const { outcome, handed } = await handOver(kubernetes, namespace, component, configuration)
    const shoots = await updateShoots(kubernetes, provider, handed, log)
    unapplied = shoots.unapplied
    if (outcome !== 'same' || shoots.changed > 0)
      log.info('webhooks of shoots written', { component, outcome, ...shoots })
  }

  return async () => {
    const drafts = await rendered('')
    // The key must exist before a path contains its proof.
    if (drafts.own.length > 0) await paths.refresh(component)
    const present = await Promise.all(drafts.own.map(async draft => readConfiguration(target, draft)))
    const bundles = present.flatMap(found => (found === undefined ? [''] : bundlesOf(found)))
    const hasShoots = drafts.shoot !== undefined
    if (!hasShoots) unapplied = 0
    // A shoot without updates delays the rotation by at most a day. A configuration in the cluster itself delays it
    // without limit.
    const authority = await certificates.generate(
      (bundle, isLate) => trust.isKnown(bundle, bundles) && (unapplied === 0 || isLate),
    )
    for (const lost of authority.lost)
      log.warn('deleted CA was replaced by a new CA', { component, authority: lost })
    if (authority.replaced.length > 0)
      log.warn('unusable Secrets replaced', { component, replaced: authority.replaced })
    if (authority.created.length > 0) log.info('certificates made', { component, created: authority.created })

    const caBundle = bundleToTrust(
      {
        bundle: authority.bundle,
        present: bundles.find(bundle => bundle !== '') ?? '',
        serverCertificate: authority.server.certificate,
        now: clock.now(),
      },
      times,
    )
    const desired = await rendered(caBundle, paths.keyFor(component, present))
    for (const [index, configuration] of desired.own.entries()) {
      const outcome = await ensureConfiguration(target, configuration, present[index])
      if (outcome !== 'same')
        log.info('webhooks registered', { component, configuration: configuration.metadata.name, outcome })
    }
    if (desired.shoot !== undefined) await writeShoots(desired.shoot)
    await authority.cleanUp()
  }
}

/**
 * Updates the configuration in all shoots that have it, so that a CA rotation does not require a reconcile of their
 * control planes. Returns the number of shoots that have not applied it yet. A failed write is reported, and does not
 * affect other shoots.
 */
const updateShoots = async (
  kubernetes: Kubernetes,
  provider: string,
  webhooks: ShootWebhooks,
  log: Log,
): Promise<{ readonly changed: number; readonly unapplied: number }> => {
  const [shoots, present] = await Promise.all([
    shootNamespaces(kubernetes, provider),
    listAll(kubernetes, managedResourceKind.resource, {
      fieldSelector: `metadata.name=${resourceNames.webhooks}`,
    }),
  ])
  let changed = 0
  let unapplied = 0
  for (const object of present) {
    const parsed = parseManagedResource(object)
    const { namespace = '' } = object.metadata
    if (!parsed.ok || !shoots.has(namespace) || object.metadata.deletionTimestamp !== undefined) continue
    try {
      const { outcome, managedResource } = await ensureManagedResource(
        { ...kubernetes, create: onlySecrets(kubernetes) },
        shootWebhooksResource(webhooks, namespace),
        parsed.object,
      )
      if (outcome === 'changed') changed++
      if (!isApplied(managedResource)) unapplied++
    } catch (error) {
      unapplied++
      log.warn('cannot write the webhooks of a shoot', { namespace, error: messageOf(error) })
    }
  }
  return { changed, unapplied }
}

/** If a ManagedResource was deleted meanwhile, its control plane is being deleted, so it is not recreated. */
const onlySecrets =
  (kubernetes: Pick<Kubernetes, 'create'>): Kubernetes['create'] =>
  (resource, object, options) =>
    resource.plural === 'secrets'
      ? kubernetes.create(resource, object, options)
      : Promise.reject(new Error(`${object.metadata.name} was deleted`))

const isApplied = (managedResource: ManagedResource): boolean => {
  const { name, namespace = '' } = managedResource.metadata
  return appliedWait({ name, namespace }, managedResource).kind === 'over'
}

/** Returns the shoot namespaces of a provider, without those in deletion. */
const shootNamespaces = async (kubernetes: Kubernetes, provider: string): Promise<ReadonlySet<string>> => {
  const found = await listAll(kubernetes, namespaces, {
    labelSelector: `gardener.cloud/role=shoot,shoot.gardener.cloud/provider=${provider}`,
  })
  return new Set(
    found
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map(({ metadata: { name } }) => name),
  )
}
